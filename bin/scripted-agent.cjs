#!/usr/bin/env node
// The scripted agent as a program: node bin/scripted-agent.cjs --scenario FILE -p …
const { join } = require('node:path');
const { loadScriptedAgent } = require('./load-scripted-agent.cjs');

const { main } = loadScriptedAgent(join(__dirname, '../dist'));
main(process.argv.slice(2), process.env).then((code) => process.exit(code));
