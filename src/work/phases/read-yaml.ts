import { LineCounter, parseDocument } from 'yaml';
import { isTooDeep } from '../../files/yaml-depth.ts';

export type ReadYaml = { value: unknown } | { problem: string };

/** Aliases that are aliases of aliases can make a short text endless. */
const MOST_ALIASES = 10;

/** What a YAML text says, or what is wrong with it and where. Hostile texts are wrong like any other. */
export function readYaml(text: string): ReadYaml {
  if (isTooDeep(text)) return { problem: 'it is nested too deeply' };
  const lines = new LineCounter();
  try {
    const document = parseDocument(text.replace(/^\uFEFF/, ''), {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const [error] = document.errors;
    if (!error) return { value: document.toJS({ maxAliasCount: MOST_ALIASES }) };
    const { line, col } = lines.linePos(error.pos[0]);
    return { problem: `line ${line}, column ${col}: ${error.message}` };
  } catch (error) {
    // Too many aliases.
    if (error instanceof ReferenceError) return { problem: error.message };
    throw error;
  }
}
