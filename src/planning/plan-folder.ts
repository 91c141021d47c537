import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FermataError } from '../schema/error.ts';
import type { FileBlock } from './file-blocks.ts';

/** Refuses a folder that has something in it or cannot be made, before any work is done for it. */
export function refuseUnusableFolder(folder: string): void {
  refuseUsedFolder(folder);
  let above = dirname(folder);
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
  try {
    accessSync(above, constants.W_OK);
  } catch (cause) {
    const message = `The plan cannot be written to ${folder}: ${above} is not writable. Name another folder with --output.`;
    throw new FermataError('read_only', message, { cause });
  }
}

function refuseUsedFolder(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new FermataError('invalid', `${folder} is not empty. Name another folder with --output.`);
  }
}

/** Writes a plan's files at once: all of them in place, or none. */
export function writePlanFolder(folder: string, files: Pick<FileBlock, 'name' | 'content'>[]): void {
  mkdirSync(dirname(folder), { recursive: true });
  const staging = mkdtempSync(join(dirname(folder), `.${basename(folder)}-`));
  try {
    for (const { name, content } of files) {
      const path = join(staging, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
    refuseUsedFolder(folder);
    rmSync(folder, { recursive: true, force: true });
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    throw error;
  }
}

/** A folder's name from the first words of a text: `Add a log-in page!` becomes `add-a-log-in-page`. */
export function slug(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? ['plan']).slice(0, 6).join('-').slice(0, 60);
}
