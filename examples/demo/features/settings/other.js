import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parse, print } from './format.js';

/** Settings in one file, which is read once; after that they are in memory, and each change is saved. */
export function openSettings(file) {
  const settings = existsSync(file) ? parse(readFileSync(file, 'utf8')) : {};
  return {
    get: (name) => settings[name],
    set: (name, value) => {
      settings[name] = value;
      writeFileSync(file, print(settings));
    },
  };
}
