import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parse, print } from './format.js';

/** Settings in one file, which is read each time, so that another program may change it too. */
export function openSettings(file) {
  const load = () => (existsSync(file) ? parse(readFileSync(file, 'utf8')) : {});
  return {
    get: (name) => load()[name],
    set: (name, value) => writeFileSync(file, print({ ...load(), [name]: value })),
  };
}
