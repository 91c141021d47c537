// Runs dist/cli.bundle with V8's code cache, which saves most of the time that Node spends on compiling.
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const DIST = path.join(__dirname, '..', 'dist');
const HEADER = 16; // checksum, length, length of the index; a multiple of 8, so that V8 gets its data aligned
const MONTH = 30 * 24 * 3600 * 1000;

const bundle = openBundle(path.join(DIST, 'cli.bundle'));
if (bundle) {
  start(bundle);
} else {
  process.stderr.write(`Fermata is not built yet: run \`npm run setup\` in ${path.dirname(__dirname)}.\n`);
  process.exitCode = 2;
}

function start({ build, read }) {
  const file = cacheFile(build, process.argv[2]);
  const cached = readCache(file);
  const scripts = new Map();
  const { main } = loader(read, cached, scripts)('cli.cjs');
  // Write the cache after the command, so that it contains the functions the command used. Skip it after a usage error,
  // because a typo is not a command.
  process.on('exit', (exitCode) => {
    const isStale = [...scripts.values()].some(({ isCached }) => !isCached);
    if (exitCode !== 2 && isStale) writeCache(file, cached, scripts);
  });
  main(process.argv.slice(2), { name: invokedAs(process.argv[1]) }).then((code) => {
    process.exitCode = code;
  });
}

/**
 * The bundle of all program files, see scripts/build.mjs. It stays open, so that a program that runs during an update
 * keeps loading parts of its own version.
 */
function openBundle(file) {
  if (!fs.existsSync(file)) return undefined;
  const descriptor = fs.openSync(file, 'r');
  const slice = (start, length) => {
    const bytes = Buffer.allocUnsafe(length);
    fs.readSync(descriptor, bytes, 0, length, start);
    return bytes.utf8Slice();
  };
  const length = Number(slice(0, 8));
  const { build, parts } = JSON.parse(slice(8, length));
  return { build, read: (name) => slice(8 + length + parts[name][0], parts[name][1]) };
}

/**
 * `require` for the parts of the bundle, `cli.cjs` and those in `cli/`. Compiles each part from the cache if the cache has
 * it. Joins paths as text, because V8 would begin to optimize `path.join`, which costs some milliseconds.
 */
function loader(read, cached, scripts) {
  const modules = new Map();
  return function load(name) {
    const cachedData = cached.get(name);
    const filename = `${DIST}/${name}`;
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const wrapper = `(function (exports, require, module, __filename, __dirname) {${read(name)}\n})`;
    const script = new vm.Script(wrapper, { filename, cachedData });
    scripts.set(name, { script, isCached: cachedData !== undefined && !script.cachedDataRejected });
    const module = { exports: {} };
    modules.set(name, module);
    const requireFrom = (id) => {
      if (!id.startsWith('.')) return require(id);
      const target = id.startsWith('../') ? id.slice(3) : folder + id.slice(2);
      return modules.get(target)?.exports ?? load(target);
    };
    script.runInThisContext()(module.exports, requireFrom, module, filename, path.dirname(filename));
    return module.exports;
  };
}

/** The other names are links to `fermata`. */
function invokedAs(file = '') {
  const name = path.basename(file).replace(/\.(cjs|cmd|exe)$/, '');
  return ['debussy', 'envoy', 'rslph'].includes(name) ? name : 'fermata';
}

/** One cache file per command, with only the functions that the command needs. */
function cacheFile(build, argument) {
  const command = /^[a-z][a-z-]{0,30}$/.test(argument) ? argument : 'main';
  return path.join(cacheFolder(), `${build}_${process.version}_${process.arch}_${command}.v8`);
}

function cacheFolder() {
  const { FERMATA_HOME, XDG_CACHE_HOME } = process.env;
  if (FERMATA_HOME) return path.resolve(FERMATA_HOME, 'cache');
  return path.join(XDG_CACHE_HOME || path.join(require('node:os').homedir(), '.cache'), 'fermata');
}

/** The compiled code by file name; empty if there is no cache that can be trusted. */
function readCache(file) {
  try {
    const bytes = fs.readFileSync(file);
    // The cache is executable code, so use only a file that we own (sudo keeps HOME, and with it the user's cache).
    if (process.getuid && fs.statSync(file).uid !== process.getuid()) return new Map();
    const body = bytes.subarray(HEADER);
    if (bytes.readUInt32LE(4) !== body.length || bytes.readUInt32LE(0) !== checksum(body)) return new Map();
    const start = bytes.readUInt32LE(8);
    const index = JSON.parse(body.latin1Slice(0, start));
    return new Map(index.map(([name, from, to]) => [name, body.subarray(start + from, start + to)]));
  } catch {
    return new Map(); // absent or unreadable: compile
  }
}

/** Keeps the old entries, because another use of the same command may have needed other files. */
function writeCache(file, cached, scripts) {
  try {
    const made = [...scripts].map(([name, { script }]) => [name, script.createCachedData()]);
    const entries = [...new Map([...cached, ...made])].map(([name, data]) => [name, padded(data)]);
    let start = 0;
    const index = entries.map(([name, { length }]) => {
      start += length;
      return [name, start - length, start];
    });
    const names = padded(Buffer.from(JSON.stringify(index)), 0x20);
    const body = Buffer.concat([names, ...entries.map(([, data]) => data)]);
    const header = Buffer.alloc(HEADER);
    header.writeUInt32LE(checksum(body), 0);
    header.writeUInt32LE(body.length, 4);
    header.writeUInt32LE(names.length, 8);
    makeFolder(path.dirname(file));
    fs.writeFileSync(`${file}.${process.pid}`, Buffer.concat([header, body]), { mode: 0o600 });
    fs.renameSync(`${file}.${process.pid}`, file);
    removeOld(path.dirname(file));
  } catch {
    // A read-only or full disk only costs speed.
  }
}

function padded(data, filler = 0) {
  return Buffer.concat([data, Buffer.alloc(-data.length & 7, filler)]);
}

/**
 * V8 does not detect corrupted data and would crash on it. Disks corrupt data in blocks, so checking one word of each
 * 32 bytes is enough, and is cheap even while this function itself is not compiled yet.
 */
function checksum(data) {
  const words = new Uint32Array(data.buffer, data.byteOffset, data.length >> 2);
  let sum = data.length;
  for (let i = 0; i < words.length; i += 8) sum = Math.imul(sum ^ words[i], 16777619);
  return sum >>> 0;
}

/** Node's own `recursive` option never returns for a folder below /proc. */
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
