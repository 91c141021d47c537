import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerByFile, ensureGateFile } from '../../../src/channels/gate-file/answer-by-file.ts';
import { gateFileText } from '../../../src/channels/gate-file/template.ts';
import { openLedger } from '../../../src/index.ts';
import type { By } from '../../../src/schema/actor.ts';
import { testHub } from '../../hub/support/hub.ts';
import { fermata, startFermata } from '../../support/fermata.ts';
import { inTerminal } from '../../support/pty.ts';

/** Where a question waits, as every channel finds it. */
export interface Place {
  cwd: string;
  env: Record<string, string>;
}

interface Given {
  accepted: boolean;
  /** What the person saw. */
  said: string;
}

/** A way to answer. Each channel joins the list below, and so the conformance suite. */
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
      if (asked) {
        terminal.type(`${value}\r`);
        const confirm = await Promise.race([
          terminal.shows(/Enter to save/).catch(() => undefined),
          terminal.ended.then(() => undefined),
        ]);
        if (confirm) terminal.type('\r');
      }
      const code = await terminal.ended;
      // Someone who is second is not asked, but sees the winning answer.
      const won = / at \S+: (.+)\.\n/.exec(terminal.screen())?.[1];
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
      // Someone who is second is not asked, but sees the winning answer.
      const won = / at \S+: (.+)\.\n/.exec(stderr)?.[1];
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
      const hub = await testHub({ place: at.env.FERMATA_STORE ?? '' }, { owner: user });
      const { data } = (await hub.get('/notifications?status=all')).body;
      const { projectId, questions } = data.find((each: { id: string }) => each.id === id);
      const [{ id: questionId, options }] = questions;
      const named = (option: { label: string }) => option.label.toLowerCase() === value.toLowerCase();
      const response = /^skip$/i.test(value)
        ? { questionId, skipped: true }
        : { questionId, answer: options.find(named)?.label ?? value };
      const path = `/projects/${projectId}/notifications/${id}`;
      const { status, body } = await hub.call('PATCH', path, { responses: [response] });
      return { accepted: status === 200, said: JSON.stringify(body) };
    },
  },
];
