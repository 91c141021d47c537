import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { QAQuestion } from '../../../../src/schema/qa.ts';
import { BIN, environment, type Result } from '../../../support/fermata.ts';
import type { Library } from './place.ts';

/**
 * This process as the parent of one that asks over the pipe. The child has its own session, so it never has a
 * controlling terminal.
 */
export function parentOf(at: Library, args: string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [BIN, ...at.command, ...args], {
    cwd: at.cwd,
    env: environment({ FERMATA_QA_PIPE: '1', ...at.env, ...env }),
    detached: true,
  });
  const result: Result = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (result.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (result.stderr += text));
  child.stdin.on('error', () => undefined); // it may end without reading
  const ended = once(child, 'close').then(([code]): Result => ({ ...result, code }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    ended,
    /** The next question; fails if the program ends instead. */
    async next(): Promise<QAQuestion & { id: string }> {
      const { value, done } = await lines.next();
      if (done) throw new Error(`It ended without a question: ${JSON.stringify(await ended)}`);
      return QAQuestion.required({ id: true }).parse(JSON.parse(value));
    },
    say: (answer: object) => child.stdin.write(`${JSON.stringify({ type: 'answer', ...answer })}\n`),
    /** Waits for this on stderr. */
    async told(pattern: RegExp): Promise<void> {
      while (!pattern.test(result.stderr)) await once(child.stderr, 'data');
    },
  };
}
