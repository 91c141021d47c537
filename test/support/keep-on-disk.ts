import { afterAll, beforeAll } from 'vitest';

/** Keeps the temporary files of this test file out of /dev, which a sandbox replaces: see memory-folder.ts. */
export function keepOnDisk(): void {
  const disk = process.env.FERMATA_TEST_DISK;
  if (disk === undefined) return;
  const inMemory = process.env.TMPDIR;
  beforeAll(() => {
    process.env.TMPDIR = disk;
  });
  afterAll(() => {
    process.env.TMPDIR = inMemory;
  });
}
