import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerByFile, ensureGateFile } from '../../../src/channels/gate-file/answer-by-file.ts';
import { gateFileText } from '../../../src/channels/gate-file/template.ts';
import { openLedger } from '../../../src/index.ts';
import type { By } from '../../../src/schema/actor.ts';
import { fermata, startFermata } from '../../support/fermata.ts';
import { inTerminal } from '../../support/pty.ts';

/** Where a question waits, as every channel finds it. */
export interface Place {
  cwd: string;
  env: Record<string, string>;
}

interface Given {
  accepted: boolean;
  /** What the person was told. */
  said: string;
}

/** A way to answer. Each channel that is built joins the list below, and with it the one conformance suite. */
export interface ChannelUnderTest {
  name: string;
  /** The channel that the ledger records. */
  channel: string;
  answer(at: Place, id: string, value: string, user: string): Promise<Given>;
}

export const channels: ChannelUnderTest[] = [
  {
    name: 'fermata answer',
    channel: 'command',
    async answer(at, id, value, user) {
      const result = await fermata(['answer', id, value], { ...at, env: { ...at.env, FERMATA_USER: user } });
      return { accepted: result.code === 0, said: result.stdout + result.stderr };
    },
  },
  {
    name: 'the terminal',
    channel: 'terminal',
    async answer(at, id, value, user) {
      const terminal = inTerminal(['answer', id], { ...at, env: { ...at.env, FERMATA_USER: user } });
      const asked = await Promise.race([
        terminal.shows(/› /).catch(() => undefined),
        terminal.ended.then(() => undefined),
      ]);
      if (asked) terminal.type(`${value}\r`);
      const code = await terminal.ended;
      // Who comes second is not asked any more, but shown what won.
      const won = / = (.+)\.\n/.exec(terminal.screen())?.[1];
      return { accepted: asked ? code === 0 : won === value, said: terminal.screen() };
    },
  },
  {
    name: 'the pipe',
    channel: 'pipe',
    async answer(at, id, value, user) {
      const env = { ...at.env, FERMATA_USER: user, FERMATA_QA_PIPE: '1' };
      const running = startFermata(['answer', id], { ...at, env });
      const asked = await Promise.race([
        running.shows(/\n/).catch(() => undefined),
        running.ended.then(() => undefined),
      ]);
      if (asked) running.child.stdin?.write(`${JSON.stringify({ gap_type: 'general', answer: value })}\n`);
      const { code, stderr } = await running.ended;
      // Who comes second is not asked any more, but shown what won.
      const won = / = (.+)\.\n/.exec(stderr)?.[1];
      return { accepted: asked ? code === 0 : won === value, said: stderr };
    },
  },
  {
    name: 'a gate file',
    channel: 'gate-file',
    async answer(at, id, value, user) {
      const ledger = await openLedger(at.env.FERMATA_STORE ?? '');
      try {
        const notification = await ledger.notifications.find(id);
        const path = join(at.cwd, '..', `${id}-${user}-${value.length}.yaml`);
        ensureGateFile(path, gateFileText(notification, './question.json'));
        const filled = readFileSync(path, 'utf8')
          .replace(/^q1:.*/m, `q1: ${JSON.stringify(value)}`)
          .replace('done: false', 'done: true');
        writeFileSync(path, filled);
        const person: By = { actor: { kind: 'person', name: user }, channel: 'gate-file' };
        await answerByFile(ledger, notification, path, person, AbortSignal.timeout(10_000));
        const said = readFileSync(path, 'utf8');
        return { accepted: said === filled, said };
      } finally {
        await ledger.close();
      }
    },
  },
  {
    name: 'REST',
    channel: 'rest',
    async answer(at, id, value, user) {
      const running = startFermata(['serve', '--port', '0', '--format', 'json'], {
        ...at,
        env: { ...at.env, FERMATA_USER: user },
      });
      const [line = ''] = (await running.shows(/\n/)).split('\n');
      const { url, token } = JSON.parse(line) as { url: string; token: string };
      const call = async (method: string, path: string, body?: unknown) => {
        const headers = { authorization: `Bearer ${token}` };
        const response = await fetch(url + path, {
          method,
          headers,
          body: body && JSON.stringify(body),
        } as RequestInit);
        return { ok: response.ok, body: await response.text() };
      };
      const { data } = JSON.parse((await call('GET', '/notifications?status=all')).body);
      const { projectId, questions } = data.find((each: { id: string }) => each.id === id);
      const questionId = questions[0].id;
      const label = questions[0].options.find(
        (option: { label: string }) => option.label.toLowerCase() === value.toLowerCase(),
      )?.label;
      const skips = value.toLowerCase() === 'skip';
      const response = skips ? { questionId, skipped: true } : { questionId, answer: label ?? value };
      const given = await call('PATCH', `/projects/${projectId}/notifications/${id}`, {
        responses: [response],
      });
      running.child.kill('SIGTERM');
      await running.ended;
      return { accepted: given.ok, said: given.body };
    },
  },
];
