import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pointsOutside } from '../files/points-outside.ts';
import type { ParsedProtocol } from './parse-protocol.ts';
import { errorAt } from './problem.ts';

/** A folder with protocols. */
export interface ProtocolFolder {
  path: string;
  /** Its name in messages. */
  shownAs: string;
  /** The folder that links must not leave. */
  within: string;
}

const MAX_SIZE = 128 * 1024;

/** The protocol NAME of a folder; undefined if it has none. Reports a file that cannot be read as a problem. */
export async function readProtocolFile(
  folder: ProtocolFolder,
  name: string,
): Promise<ParsedProtocol | undefined> {
  const file = join(folder.shownAs, `${name}.yaml`);
  const content = readText(folder, `${name}.yaml`);
  if (content === undefined) return undefined;
  if ('fault' in content) return unreadable(file, name, content.fault);
  // The YAML parser is needed only here.
  const { parseProtocol } = await import('./parse-protocol.ts');
  return parseProtocol(content.text, file, name);
}

/** The text of a file of the folder, or why it cannot be used; undefined if there is none. */
export function readText(
  folder: ProtocolFolder,
  name: string,
): { text: string } | { fault: string } | undefined {
  const path = join(folder.path, name);
  try {
    const kind = statSync(path, { throwIfNoEntry: false });
    if (!kind) return undefined;
    if (pointsOutside(folder.path, path) || pointsOutside(folder.within, folder.path))
      return { fault: 'is a link to something outside its folder' };
    if (!kind.isFile()) return { fault: 'is not a file' };
    if (kind.size > MAX_SIZE) return { fault: `has ${kind.size} bytes; at most ${MAX_SIZE} are allowed` };
    const bytes = readFileSync(path);
    return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { fault: 'is not UTF-8 text' };
  } catch (error) {
    return { fault: `cannot be read (${(error as Error).message})` };
  }
}

function unreadable(file: string, name: string, fault: string): ParsedProtocol {
  const at = { file, line: 1, column: 1 };
  const nothing = { description: null, extends: null, inputs: null, outputs: null, steps: [] };
  return { declaration: { name, ...nothing, at }, problems: [errorAt(at, `This file ${fault}.`)] };
}
