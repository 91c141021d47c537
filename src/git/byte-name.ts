/**
 * A file's name as git gives it, with one character for each byte (latin1): names need not be UTF-8, and two that are not
 * would look the same as text.
 */
export type ByteName = string;

/** The file of that name below a folder, as the file system takes it. */
export function onDisk(folder: string, name: ByteName): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
}

/** For people. */
export function readableName(name: ByteName): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}
