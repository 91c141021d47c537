import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FermataError } from '../schema/error.ts';
import { fromEvents, hasEvents } from './events-scenario.ts';
import { checkScenario, type LoadedScenario } from './scenario.ts';

/** Reads a scenario file; an error names the place. */
export function loadScenario(file: string, cwd: string): LoadedScenario {
  const path = resolve(cwd, file);
  const value = parse(path);
  const scenario = checkScenario(hasEvents(value) ? fromEvents(value, path) : value, path);
  return { ...scenario, file: path, state: resolve(dirname(path), scenario.state ?? `${path}.state`) };
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new FermataError(
      'invalid',
      `Cannot read ${path} as a scenario: ${(cause as Error).message}. FAKE_CLAUDE_CONFIG or --scenario must name a JSON file with "invocations".`,
      { cause },
    );
  }
}
