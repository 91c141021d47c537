// Preloaded with --require: the disk ignores case, as on macOS. This applies to Node only: child processes see
// the real disk, but in the right folder.
const fs = require('node:fs');
const childProcess = require('node:child_process');
const { syncBuiltinESMExports } = require('node:module');
const { dirname, basename, join, resolve } = require('node:path');

const { readdirSync, existsSync, realpathSync } = fs;

/** The path as the disk spells it. */
function spelled(path) {
  if (typeof path !== 'string' || existsSync(path) || path === dirname(path)) return path;
  const folder = spelled(dirname(resolve(path)));
  const name = basename(path);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return join(folder, names.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name);
}

const TWO_PATHS = /^(rename|link|copyFile|cp)/;
/** Its first path is only text. The others are classes. */
const LEFT_ALONE = /^(symlink|[A-Z_])/;

for (const api of [fs, fs.promises]) {
  for (const name of Object.keys(api).filter(
    (each) => typeof api[each] === 'function' && !LEFT_ALONE.test(each),
  )) {
    const original = api[name];
    const patched = (path, ...rest) => {
      if (TWO_PATHS.test(name)) rest[0] = spelled(rest[0]);
      return original(spelled(path), ...rest);
    };
    api[name] = Object.assign(patched, original);
  }
}
/** Node's own version keeps the given spelling; the system's does not. */
fs.realpathSync = (path, ...rest) => {
  const real = realpathSync(spelled(path), ...rest);
  return real.toLowerCase() === resolve(path).toLowerCase() ? resolve(path) : real;
};
fs.realpathSync.native = (path, ...rest) => realpathSync.native(spelled(path), ...rest);

const { spawn } = childProcess;
childProcess.spawn = (program, args, options) =>
  spawn(program, args, options?.cwd ? { ...options, cwd: spelled(options.cwd) } : options);
syncBuiltinESMExports();
