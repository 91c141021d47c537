// Preloaded with --require: there is no /proc, as on macOS.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

for (const name of ['readFileSync', 'readlinkSync', 'openSync', 'statSync', 'lstatSync', 'readdirSync']) {
  const original = fs[name];
  fs[name] = (path, ...rest) => {
    if (!isProc(path)) return original(path, ...rest);
    if (rest[0]?.throwIfNoEntry === false) return undefined;
    throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT', errno: -2, path });
  };
}
const exists = fs.existsSync;
fs.existsSync = (path) => !isProc(path) && exists(path);
syncBuiltinESMExports();

function isProc(path) {
  return /^\/proc(\/|$)/.test(String(path));
}
