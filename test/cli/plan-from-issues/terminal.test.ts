import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BIN } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { CTRL_C, inTerminal, nodeInTerminal, type Terminal } from '../../support/pty.ts';
import { LONG, library, QUESTIONS } from './support/place.ts';

async function answer(terminal: Terminal, ...answers: string[]): Promise<void> {
  for (const each of answers) {
    await terminal.shows(/\n› /);
    terminal.type(`${each}\r`);
  }
}

describe('plan-from-issues in a terminal', { timeout: LONG }, () => {
  test('CHAN-1 asks all, lets the answers be reviewed and changed, and writes the plan', async () => {
    const at = library();
    writeFileSync(join(at.cwd, 'package.json'), '{"devDependencies":{"vitest":"4"}}');
    const terminal = inTerminal(at.command, at);
    await terminal.shows(/Read 8 issues; 3 without gaps/);
    await terminal.shows(
      /1 of 7 · Acceptance Criteria \(done when\) · Gap in an issue · holds up the plan from the issues in issues/,
    );
    await answer(terminal, '', '1', 'Loans per month', 'skip', 'SendGrid', '1', '=1');
    await terminal.shows(/Your answers[\s\S]*3\. .* → Loans per month[\s\S]*› /);
    terminal.type('3\r');
    await answer(terminal, 'Loans per year');
    await terminal.shows(/Your answers[\s\S]*Loans per year[\s\S]*› /);
    terminal.type('\r');
    await terminal.shows(/uses 6 answers and 1 assumption;/);
    expect(await terminal.ended).toBe(0);
    expect(at.read()).toContain('**Loans per year**');
    expect(at.read()).toContain('**SendGrid**');
    expect(at.read()).toMatch(/\(Skipped by tester\)/);
    expect(at.auditErrors()).toEqual([]);
  });

  longTest(
    'CHAN-1 CLI-EXIT-130 Ctrl-C keeps the answers so far; started again, it asks only the rest',
    async () => {
      const at = library();
      const terminal = inTerminal(at.command, at);
      await answer(terminal, 'one', 'two');
      await terminal.shows(/\n› /);
      terminal.type(CTRL_C);
      expect(await terminal.ended).toBe(130);
      expect(await at.inbox()).toHaveLength(QUESTIONS - 2);
      const again = inTerminal(at.command, at);
      await again.shows(
        /2 of them already answered:[\s\S]*→ one \(n-[\s\S]*→ two \(n-[\s\S]*fermata amend ID VALUE/,
      );
      await again.shows(/1 of 5/);
      await answer(again, ...Array.from({ length: QUESTIONS - 2 }, (_, number) => `then ${number}`));
      await again.shows(/Enter to send/);
      again.type('\r');
      expect(await again.ended).toBe(0);
      expect(at.read()).toMatch(/\*\*one\*\*[\s\S]*\*\*two\*\*[\s\S]*\*\*then 4\*\*/);
    },
  );

  longTest('CHAN-2 questions that were answered elsewhere are skipped', async () => {
    const at = library();
    const terminal = inTerminal([...at.command, '--max-questions', '2'], at);
    await terminal.shows(/1 of 2[\s\S]*\n› /);
    const [open] = await at.inbox();
    await at.fermata('answer', open?.id ?? '', 'elsewhere');
    await terminal.shows(/Settled elsewhere: tester \(command\): elsewhere/);
    await answer(terminal, 'here');
    expect(await terminal.ended).toBe(0);
    expect(at.read()).toMatch(/\*\*elsewhere\*\*[\s\S]*\*\*here\*\*/);
  });
});

/** A slow parent, which answers when the question is already in the terminal. */
const SLOW_PARENT = `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, JSON.parse(process.env.COMMAND), { stdio: ['pipe', 'pipe', 'pipe'] });
let said = '';
child.stderr.on('data', (text) => {
  process.stdout.write(text);
  said += text;
  const id = /Asking question (\\S+) in the terminal/.exec(said)?.[1];
  if (id) child.stdin.end(JSON.stringify({ id, gap_type: 'acceptance_criteria', answer: 'late' }));
});
child.on('close', (code) => console.log('EXIT ' + code));
`;

test('PIPE-8 a late answer of the parent settles the question that is being asked in the terminal', {
  timeout: LONG,
}, async () => {
  const at = library();
  const command = JSON.stringify([BIN, ...at.command, '--max-questions', '1']);
  const env = { ...at.env, FERMATA_QA_PIPE: '1', FERMATA_QA_TIMEOUT: '0.2', COMMAND: command };
  const terminal = nodeInTerminal(['--eval', SLOW_PARENT], { cwd: at.cwd, env });
  await terminal.shows(/Settled elsewhere: tester \(pipe\): late/);
  await terminal.shows(/EXIT 0/);
  expect(at.read()).toContain('**late**');
});

/** A parent that was started in a terminal and answers nothing: it only shows what came over the pipe. */
const SILENT_PARENT = `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, JSON.parse(process.env.COMMAND), { stdio: ['pipe', 'pipe', 'inherit'] });
let piped = '';
child.stdout.on('data', (text) => { piped += text; });
child.on('close', (code) => console.log('\\nPIPED ' + piped.split('\\n').filter(Boolean).every((line) => JSON.parse(line).type === 'question') + ' EXIT ' + code));
`;

test('PIPE-7 a question that the parent does not answer is asked in the controlling terminal, never on the pipe', {
  timeout: LONG,
}, async () => {
  const at = library();
  const command = JSON.stringify([BIN, ...at.command, '--max-questions', '2']);
  const env = { ...at.env, FERMATA_QA_PIPE: '1', FERMATA_QA_TIMEOUT: '0.2', COMMAND: command };
  const terminal = nodeInTerminal(['--eval', SILENT_PARENT], { cwd: at.cwd, env });
  await terminal.shows(/No answer within 0\.2 s\. Asking question acceptance_criteria-4 in the terminal/);
  await answer(terminal, 'typed one');
  await terminal.shows(/Asking question validation-7 in the terminal/);
  await answer(terminal, 'typed two');
  await terminal.shows(/PIPED true EXIT 0/);
  expect(at.read()).toMatch(/\*\*typed one\*\*[\s\S]*\*\*typed two\*\*/);
  const { notifications } = await at.inLedger((ledger) =>
    ledger.notifications.list({ status: ['delivered'] }),
  );
  expect(notifications.map(({ resolvedBy }) => resolvedBy?.channel)).toEqual(['terminal', 'terminal']);
});
