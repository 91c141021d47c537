// Plays a short scenario with the scripted agent in a folder, and keeps the code that V8 compiled for it:
// node compile-scripted-agent.mjs DIST
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledCode, loadScriptedAgent } from '../bin/load-scripted-agent.cjs';

const dist = process.argv[2];
const { main, script } = loadScriptedAgent(dist);
const folder = mkdtempSync(join(tmpdir(), 'fermata-compile-'));
const scenario = join(folder, 'scenario.json');
const steps = [
  { do: 'write', path: 'a.txt', content: 'a' },
  { do: 'say', text: 'done' },
];
writeFileSync(scenario, JSON.stringify({ invocations: [{ steps }] }));
process.chdir(folder);
const words = ['-p', '--verbose', '--output-format', 'stream-json', 'go'];
const code = await main(words, { ...process.env, FAKE_CLAUDE_CONFIG: scenario });
process.chdir(dist);
rmSync(folder, { recursive: true, force: true });
writeFileSync(compiledCode(dist), script.createCachedData());
process.exit(code);
