import { afterAll } from 'vitest';
import { removeAll } from './per-file.ts';

afterAll(removeAll);
