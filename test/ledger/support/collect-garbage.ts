import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Frees what nothing refers to any more, with the native handles that it holds. */
export async function collectGarbage(): Promise<void> {
  collect();
  await turn(); // finalizers of native objects run after the collection
}
