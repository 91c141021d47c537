// Runs dist/cli.cjs with V8's code cache, which saves most of the time that Node spends on compiling.
const fs = require('node:fs');
const path = require('node:path');
const { createRequire } = require('node:module');
const vm = require('node:vm');

const BUNDLE = path.join(__dirname, '..', 'dist', 'cli.cjs');
const HEADER = 8; // checksum and length; a multiple of 8, so that V8 gets its data aligned
const MONTH = 30 * 24 * 3600 * 1000;

if (fs.existsSync(BUNDLE)) {
  start();
} else {
  process.stderr.write(`Fermata is not built yet: run \`npm run setup\` in ${path.dirname(__dirname)}.\n`);
  process.exitCode = 2;
}

function start() {
  const source = fs.readFileSync(BUNDLE, 'utf8');
  const script = compile(source, cacheFile(source, process.argv[2]));
  const bundle = { exports: {} };
  script.runInThisContext()(bundle.exports, createRequire(BUNDLE), bundle, BUNDLE, path.dirname(BUNDLE));
  bundle.exports.main(process.argv.slice(2), { name: invokedAs(process.argv[1]) }).then((code) => {
    process.exitCode = code;
  });
}

/** `debussy` and `envoy` are links to `fermata`. */
function invokedAs(file = '') {
  const name = path.basename(file).replace(/\.(cjs|cmd|exe)$/, '');
  return name === 'debussy' || name === 'envoy' ? name : 'fermata';
}

function compile(code, file) {
  const cachedData = readCache(file);
  const wrapper = `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
  const compiled = new vm.Script(wrapper, { filename: BUNDLE, cachedData });
  if (cachedData && !compiled.cachedDataRejected) return compiled;
  process.on('exit', (exitCode) => {
    // After the command, so that the functions it needed are in it; not after a wrong use (a typo is no command).
    if (exitCode !== 2) writeCache(file, compiled);
  });
  return compiled;
}

/** One file per command: each holds just the functions that this command needs compiled. */
function cacheFile(code, argument) {
  const build = code.slice(9, 25); // "// build 0123456789abcdef…", see scripts/build.mjs
  const command = /^[a-z][a-z-]{0,30}$/.test(argument) ? argument : 'main';
  return path.join(cacheFolder(), `${build}_${process.version}_${process.arch}_${command}.v8`);
}

function cacheFolder() {
  const { FERMATA_HOME, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (FERMATA_HOME) return path.resolve(FERMATA_HOME, 'cache');
  const base = XDG_CACHE_HOME || (process.platform === 'win32' && LOCALAPPDATA);
  return path.join(base || path.join(require('node:os').homedir(), '.cache'), 'fermata');
}

function readCache(file) {
  try {
    const bytes = fs.readFileSync(file);
    // It is code: only a file of our own will do (sudo keeps HOME, and so the user's cache).
    if (process.getuid && fs.statSync(file).uid !== process.getuid()) return undefined;
    const data = bytes.subarray(HEADER);
    const intact = bytes.readUInt32LE(4) === data.length && bytes.readUInt32LE(0) === checksum(data);
    return intact ? data : undefined;
  } catch {
    return undefined; // absent or unreadable: compile
  }
}

function writeCache(file, compiled) {
  try {
    const data = compiled.createCachedData();
    const header = Buffer.alloc(HEADER);
    header.writeUInt32LE(checksum(data), 0);
    header.writeUInt32LE(data.length, 4);
    makeFolder(path.dirname(file));
    fs.writeFileSync(`${file}.${process.pid}`, Buffer.concat([header, data]), { mode: 0o600 });
    fs.renameSync(`${file}.${process.pid}`, file);
    removeOld(path.dirname(file));
  } catch {
    // A read-only or full disk costs speed only.
  }
}

/** V8 itself does not notice damaged data, and would crash on it. */
function checksum(data) {
  const words = new Uint32Array(data.buffer, data.byteOffset, data.length >> 2);
  let sum = data.length;
  for (let i = 0; i < words.length; i++) sum = Math.imul(sum ^ words[i], 16777619);
  return sum >>> 0;
}

/** Node's own `recursive` never ends below /proc. */
function makeFolder(folder) {
  if (fs.existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  fs.mkdirSync(folder, { mode: 0o700 });
}

function removeOld(folder) {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    if (/\.v8(\.\d+)?$/.test(name) && Date.now() - fs.statSync(file).mtimeMs > MONTH) fs.unlinkSync(file);
  }
}
