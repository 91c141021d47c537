// Preloaded with --require: every folder is on a disk of the kind SHIM_FILE_SYSTEM, under the kernel SHIM_KERNEL.
const fs = require('node:fs');
const os = require('node:os');
const { syncBuiltinESMExports } = require('node:module');

const { statfsSync } = fs;
fs.statfsSync = (...args) =>
  Object.assign(statfsSync(...args), { type: Number(process.env.SHIM_FILE_SYSTEM) });
os.release = () => process.env.SHIM_KERNEL;
syncBuiltinESMExports();
