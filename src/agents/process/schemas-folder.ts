import { dirname, join } from 'node:path';
import { ownProgram } from './own-program.ts';

/** Where the JSON Schemas of gate files lie, for editors that complete and check them. */
export const schemasFolder = (): string => join(dirname(ownProgram('fermata.cjs')), '..', 'dist', 'schemas');
