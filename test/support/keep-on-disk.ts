import { tmpdir } from 'node:os';
import { afterAll, beforeAll } from 'vitest';

/** The folder for temporary files outside of /dev, which sandboxes replace: see memory-folder.ts. */
export const onDisk = (): string => process.env.FERMATA_TEST_DISK ?? tmpdir();

/** Keeps all temporary files of this test file there. */
export function keepOnDisk(): void {
  const usual = process.env.TMPDIR;
  const disk = onDisk();
  if (usual === undefined) return;
  beforeAll(() => {
    process.env.TMPDIR = disk;
  });
  afterAll(() => {
    process.env.TMPDIR = usual;
  });
}
