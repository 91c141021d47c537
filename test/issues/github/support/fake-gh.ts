import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface Played {
  stdout?: string;
  stderr?: string;
  code?: number;
  hangs?: boolean;
}

/** A program `gh` on its own PATH: it records its calls and plays one answer after the other, then repeats the last. */
export function fakeGh(...answers: Played[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-gh-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const log = join(folder, 'calls');
  writeFileSync(log, '');
  writeFileSync(join(folder, 'answers.json'), JSON.stringify(answers));
  writeFileSync(
    join(bin, 'gh'),
    `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const calls = readFileSync(${JSON.stringify(log)}, 'utf8').split('\\n').length - 1;
const input = readFileSync(0, 'utf8');
const env = Object.fromEntries(['GH_PROMPT_DISABLED', 'GITHUB_TOKEN'].map((name) => [name, process.env[name]]));
appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args: process.argv.slice(2), input, env }) + '\\n');
const answers = JSON.parse(readFileSync(${JSON.stringify(join(folder, 'answers.json'))}, 'utf8'));
const { stdout = '', stderr = '', code = 0, hangs } = answers[Math.min(calls, answers.length - 1)];
process.stderr.write(stderr);
process.stdout.write(stdout, () => (hangs ? setInterval(() => {}, 1000) : process.exit(code)));
`,
    { mode: 0o755 },
  );
  return {
    env: { PATH: [bin, dirname(process.execPath)].join(delimiter) },
    calls: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { args: string[]; input: string; env: Record<string, string> }),
  };
}
