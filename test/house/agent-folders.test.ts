import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const AGENTS = join(import.meta.dirname, '../../src/agents');
const folders = readdirSync(AGENTS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
/** One per agent: folders with a reader or a driver. */
const FOLDERS = folders
  .map(({ name }) => name)
  .filter((name) => readdirSync(join(AGENTS, name)).some((file) => /^reader\.ts$|driver\.ts$/.test(file)));
/** Any agent may speak the Agent Client Protocol, and the scripted agent speaks as Claude Code does. */
const ALLOWED = ['codex → acp', 'scripted → claude'];
/** The one place that chooses a reader. */
const CHOOSES_READERS = ['agent-stream.ts'];

/** The agents that the files of a folder import from, as `folder → agent`. */
function neighbours(folder: string): string[] {
  const files = readdirSync(join(AGENTS, folder)).filter((name) => !CHOOSES_READERS.includes(name));
  return files.flatMap((name) => {
    const text = readFileSync(join(AGENTS, folder, name), 'utf8');
    const imported = [...text.matchAll(/from '\.\.\/([\w-]+)\//g)].map(([, other]) => other ?? '');
    return imported.filter((other) => FOLDERS.includes(other)).map((other) => `${folder} → ${other}`);
  });
}

describe('src/agents', () => {
  it.each(FOLDERS)('knowledge about one agent is in its own folder: %s', (folder) => {
    expect(neighbours(folder).filter((each) => !ALLOWED.includes(each))).toEqual([]);
  });

  it.each(['run', 'process', 'stream', 'questions'])(
    'shared code knows no particular agent: %s',
    (folder) => {
      expect(neighbours(folder)).toEqual([]);
    },
  );
});
