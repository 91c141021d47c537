import { closeSync, openSync } from 'node:fs';
import { AgentProcess } from '../../../src/agents/process/agent-process.ts';

/** Starts a program while this process may open no more files, and one afterwards; prints how both ended. */
const start = () =>
  new AgentProcess({ program: process.execPath, args: ['--version'], cwd: '/', env: process.env });

const files: number[] = [];
try {
  for (;;) files.push(openSync('/dev/null', 'r'));
} catch {
  // the limit is reached
}
void start().ended.then(async ({ notStarted }) => {
  for (const file of files) closeSync(file);
  const running = start();
  running.stdout.resume();
  console.log(JSON.stringify([notStarted, (await running.ended).code]));
});
