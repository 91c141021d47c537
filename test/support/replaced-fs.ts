import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/** Until the test ends, every module that imports these functions of node:fs gets the given ones. */
export function replaceFs(own: Partial<typeof fs>): void {
  const before = Object.fromEntries(Object.keys(own).map((name) => [name, Reflect.get(fs, name)]));
  const put = (functions: object) => {
    Object.assign(fs, functions);
    syncBuiltinESMExports();
  };
  put(own);
  onTestFinished(() => put(before));
}
