import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { useMemory } from './memory-folder.ts';
import { startPostgres } from './postgres.ts';
import { PostgresMissing } from './postgres-binaries.ts';

const ROOT = join(import.meta.dirname, '../..');

declare module 'vitest' {
  export interface ProvidedContext {
    /** The administrator's URL, or why there is no PostgreSQL. */
    postgres: { url: string } | { missing: string };
  }
}

/** Before all tests: one shared PostgreSQL, a home that is not the person's own, and a folder for shared programs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const leaveMemory = useMemory();
  const home = mkdtempSync(join(tmpdir(), 'fermata-home-'));
  process.env.FERMATA_HOME = home;
  const programs = programsFolder();
  process.env.FERMATA_TEST_PROGRAMS = programs;
  const stop = await providePostgres(project);
  return async () => {
    await stop();
    for (const folder of [home, programs]) rmSync(folder, { recursive: true, force: true });
    leaveMemory();
  };
}

/** For bundled programs: any account can enter it, and this package's own programs and modules are above the bundles. */
function programsFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-programs-'));
  chmodSync(folder, 0o755);
  for (const name of ['bin', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
  return folder;
}

async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.FERMATA_TEST_POSTGRES;
  if (given) {
    project.provide('postgres', { url: given });
    return async () => undefined;
  }
  try {
    const server = await startPostgres();
    process.env.FERMATA_TEST_POSTGRES = server.url;
    project.provide('postgres', { url: server.url });
    return server.stop;
  } catch (error) {
    if (!(error instanceof PostgresMissing)) throw error;
    console.error(`\nNOT TESTED: everything on PostgreSQL. ${error.message}\n`);
    project.provide('postgres', { missing: error.message });
    return async () => undefined;
  }
}
