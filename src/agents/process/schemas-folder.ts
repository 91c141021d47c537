import { dirname, join } from 'node:path';
import { ownProgram } from './own-program.ts';

/** The folder with the JSON Schemas of gate files, for editors that complete and check them. */
export const schemasFolder = (): string => join(dirname(ownProgram('fermata.cjs')), '..', 'dist', 'schemas');
