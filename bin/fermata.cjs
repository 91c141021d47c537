#!/usr/bin/env node
// biome-ignore-all lint/style/useTemplate: a too old Node must be able to read this file and say so.
var version = process.versions.node.split('.');
var problem = 'Fermata needs Node 20.19 or newer, but this is Node ' + process.versions.node;

if (Number(version[0]) > 20 || (version[0] === '20' && Number(version[1]) >= 19)) {
  require('./launch.cjs');
} else {
  process.stderr.write(problem + ': install a newer one (https://nodejs.org) and start it with that.\n');
  process.exitCode = 2;
}
