#!/usr/bin/env node
// The scripted agent as a program: node bin/scripted-agent.cjs --scenario FILE -p …
const { main } = require('../dist/scripted-agent.cjs');

main(process.argv.slice(2), process.env).then((code) => process.exit(code));
