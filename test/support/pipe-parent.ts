import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { QAQuestion } from '../../src/schema/qa.ts';
import { BIN, environment, type Options, type Result } from './fermata.ts';

export type AskedOverPipe = QAQuestion & { id: string };

/**
 * This process as the parent of one that asks over the pipe. The child has its own session, so it never has a
 * controlling terminal.
 */
export function pipeParent(args: string[], { cwd, env }: Pick<Options, 'cwd' | 'env'>) {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: environment({ FERMATA_QA_PIPE: '1', ...env }),
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
  const next = async (): Promise<AskedOverPipe | undefined> => {
    const { value, done } = await lines.next();
    return done ? undefined : QAQuestion.required({ id: true }).parse(JSON.parse(value));
  };
  const say = (answer: object) => child.stdin.write(`${JSON.stringify({ type: 'answer', ...answer })}\n`);
  return {
    child,
    ended,
    say,
    /** The next question; fails if the program ends instead. */
    async next(): Promise<AskedOverPipe> {
      const question = await next();
      if (!question) throw new Error(`It ended without a question: ${JSON.stringify(await ended)}`);
      return question;
    },
    /** Waits for this on stderr. */
    async told(pattern: RegExp): Promise<void> {
      while (!pattern.test(result.stderr)) await once(child.stderr, 'data');
    },
    /** Waits until this many questions have been asked, whether they were read or not. */
    async asked(count: number): Promise<void> {
      while (result.stdout.split('\n').length <= count) await once(child.stdout, 'data');
    },
    /** The loop of the protocol's own example: one question after the other, and answers without an id. */
    async likeTheSeed(person: (question: AskedOverPipe) => string | Promise<string>): Promise<Result> {
      for (let question = await next(); question; question = await next()) {
        say({ gap_type: question.gap_type, answer: await person(question) });
      }
      return ended;
    },
  };
}
