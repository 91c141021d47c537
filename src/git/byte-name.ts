/**
 * A file's name as git gives it, with one character per byte (latin1), because names need not be UTF-8, and two that are
 * not would look the same as text.
 */
export type ByteName = string;

/** The path of that file below a folder, as bytes for the file system. */
export function onDisk(folder: string, name: ByteName): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
}

/** For people. */
export function readableName(name: ByteName): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}
