#!/usr/bin/env node
// biome-ignore-all lint/style/useTemplate: a too old Node must be able to read this file and say so.
var problem = require('./requirements.cjs').unmet(process.platform, process.versions.node);

if (problem) {
  process.stderr.write(problem + '\n');
  process.exitCode = 2;
} else {
  // An agent that Fermata started gets the door, not direct access to the ledger.
  require(process.env.FERMATA_DOOR ? './door.cjs' : './launch.cjs');
}
