// `npm run bench -- answers`: how long an answer takes to the agent that waits for it, in the process that runs it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedDriver } from '../src/agents/claude/driver.ts';
import { startRun } from '../src/agents/run/conduct.ts';
import { type Ledger, openLedger } from '../src/ledger/ledger.ts';
import type { By } from '../src/schema/actor.ts';
import { onBothStores } from './support/both-stores.ts';
import { size } from './support/budget.ts';
import { latency } from './support/measure.ts';

const QUESTIONS = size(300, 3);
/** The first ones, before everything is warm, do not count. */
const WARM = size(20, 0);
const WHAT = "answer given → stored → at the agent's stdin → its next question heard";
const person: By = { actor: { kind: 'person', name: 'bench' }, channel: 'rest' };

await onBothStores(async (name, store, dir) => {
  const ledger = await openLedger(store, {});
  const cwd = join(dir, name);
  mkdirSync(cwd);
  try {
    await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    return latency(WHAT, await answered(ledger, cwd), { atMost: 10 });
  } finally {
    await ledger.close();
  }
});

/**
 * A real agent process asks one question after the other. The clock runs from the call that answers to the
 * agent's next output, so it includes the flush to disk, the write to stdin and the agent's own turn.
 */
async function answered(ledger: Ledger, cwd: string): Promise<number[]> {
  const times: number[] = [];
  let start: number | undefined;
  const onEvent = ({ kind }: { kind: string }) => {
    if (kind !== 'question' || start === undefined) return;
    times.push(performance.now() - start);
    start = undefined;
  };
  const ending = new AbortController();
  const answers = (async () => {
    for await (const event of ledger.events.watch('p', 0, ending.signal)) {
      if (event.type !== 'notification.added') continue;
      const { notification } = event.data;
      start = performance.now();
      const responses = [{ questionId: notification.questions[0]?.id ?? '', answer: 'left' }];
      await ledger.notifications.resolve('p', notification.id, { responses }, person);
    }
  })();
  const env = { ...process.env, FAKE_CLAUDE_CONFIG: scenario(cwd) };
  const setup = { cwd, env, mustAsk: true, timeoutMs: 120_000 };
  const wanted = {
    projectId: 'p',
    source: 'plan',
    sourceId: 'bench',
    prompt: 'Ask.',
    work: { for: 'agent' },
  } as const;
  const { end } = await startRun(
    { ledger, driver: scriptedDriver, setup, onEvent, maxRounds: QUESTIONS + 1 },
    wanted,
  );
  ending.abort();
  await answers;
  if (end.reason !== 'ok' || times.length !== QUESTIONS - 1) throw new Error(`${end.reason}: ${end.message}`);
  return times.slice(WARM);
}

function scenario(folder: string): string {
  const file = join(folder, 'scenario.json');
  const steps: object[] = Array.from({ length: QUESTIONS }, (_, n) => ({
    do: 'ask',
    toolUseId: `toolu_${n}`,
    questions: [
      {
        question: `Which way at crossing ${n}?`,
        header: 'Way',
        multiSelect: false,
        options: [
          { label: 'left', description: 'To the left' },
          { label: 'right', description: 'To the right' },
        ],
      },
    ],
  }));
  steps.push({ do: 'say', text: 'There.' });
  writeFileSync(file, JSON.stringify({ invocations: [{ steps }] }));
  return file;
}
