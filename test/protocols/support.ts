import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { resolveProtocol } from '../../src/index.ts';

/** A folder whose `.claude/protocols` has these files; removed after the test. */
export function projectWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-protocols-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const protocols = join(folder, '.claude', 'protocols');
  mkdirSync(protocols, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(protocols, `${name}.yaml`), text);
  return folder;
}

/** The steps as they are printed, or the error's message. */
export async function stepsOf(name: string, files: Record<string, string>): Promise<string[] | string> {
  try {
    const { steps } = await resolveProtocol(name, { folder: projectWith(files) });
    return steps.map(({ number, text }) => `${number}: ${text}`);
  } catch (error) {
    return (error as Error).message;
  }
}
