import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../files/write-at-once.ts';
import type { Run } from '../../schema/run.ts';
import type { Context } from '../context.ts';

/** Saves an unusable answer of an agent to a file, because it may still be valuable. */
export function keepAnswer(
  { settings }: Pick<Context, 'settings'>,
  { projectId, id }: Run,
  text: string,
): string {
  const folder = join(settings.home.value, 'projects', projectId, 'answers');
  makeFolder(folder);
  const path = join(folder, `${id}.md`);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}
