import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { freshFolder } from '../../support/fermata.ts';
import { isLong } from '../../support/long.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** A project in which the built package is installed as npm would do it: its files, its dependencies, nothing else. */
export function projectWithPackage(): string {
  const folder = freshFolder('project');
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'fermata-cli');
  mkdirSync(own, { recursive: true });
  const { files, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const name of ['package.json', ...files])
    cpSync(join(ROOT, name), join(own, name), { recursive: true });
  for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}\n');
  return folder;
}

/** Type-checks the programs as strictly as anybody may, in `npm run test:long` with all libraries, and makes them runnable. */
export function compile(folder: string, programs: string[]): void {
  const options = ['--strict', '--noUncheckedIndexedAccess', '--target', 'es2023', '--module', 'nodenext'];
  const libraries = ['--types', 'node', '--skipLibCheck', String(!isLong)];
  try {
    execFileSync(process.execPath, [TSC, ...options, ...libraries, ...programs], {
      cwd: folder,
      encoding: 'utf8',
    });
  } catch (error) {
    throw new Error(`tsc: ${(error as { stdout: string }).stdout}`);
  }
}
