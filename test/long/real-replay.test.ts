import { expect, onTestFinished, test } from 'vitest';
import type { Event } from '../../src/schema/event.ts';
import { CLAUDES, CODEXES, realCli } from '../agents/clis/real-cli.ts';
import { planRepository } from '../cli/run/support/plan-repository.ts';
import { fermata, startFermata } from '../support/fermata.ts';
import { startAnthropic } from '../support/model/anthropic.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { claudeHome, codexHome } from '../support/model/cli-home.ts';
import { functionCall, message } from '../support/model/openai-reply.ts';
import { startOpenAi } from '../support/model/openai-responses.ts';
import { delay } from '../support/model/script.ts';

const LONG = 240_000;
const RESULT = '{"status":"success","summary":"Greeted."}';
const question = {
  question: 'Which greeting?',
  header: 'Greeting',
  multiSelect: false,
  options: [
    { label: 'Hello', description: 'plain' },
    { label: 'Ahoy', description: 'for sailors' },
  ],
};

interface Model {
  requests: readonly unknown[];
  request(n: number): Promise<unknown>;
}

/** The run is killed once the model has the answer; the agent that is started next asks the same. */
async function expectReplay(agent: string, program: string, model: Model, env: Record<string, string>) {
  const place = planRepository([{ id: '1', gate: 'test -d plans' }], env);
  const args = ['run', 'plans/shop', '--wait', '--agent', agent, '--agent-command', program];
  const killed = startFermata(args, { ...place.at, limitMs: LONG });
  killed.child.stdin?.end();
  let [asked] = await place.inbox();
  while (!asked) [asked] = await place.inbox();
  expect((await fermata(['answer', asked.id, 'Ahoy'], place.at)).code).toBe(0);
  expect(JSON.stringify(await model.request(2))).toContain('Ahoy');
  killed.child.kill('SIGKILL');
  await killed.ended;

  const again = await fermata([...args, '--resume'], { ...place.at, limitMs: LONG });
  expect(again.code, again.stderr).toBe(0);
  expect(JSON.stringify(model.requests.at(-1))).toContain('Ahoy');
  const { events } = JSON.parse((await fermata(['events', '--json'], place.at)).stdout);
  expect(events.filter(({ type }: Event) => type === 'notification.added')).toHaveLength(1);
  const replayed = { data: expect.objectContaining({ id: asked.id, replayed: true }) };
  expect(events).toContainEqual(expect.objectContaining(replayed));
}

test.for(CLAUDES)(
  'BIND-3 the real %s that was killed after its answer and asks the same again gets it from the record',
  { timeout: LONG },
  async (name, { skip }) => {
    const program = await realCli(name, skip);
    const ask = (id: string) => toolUse(id, 'AskUserQuestion', { questions: [question] });
    const model = await startAnthropic([
      ask('toolu_1'),
      delay(LONG, text('never')),
      ask('toolu_2'),
      text(RESULT),
    ]);
    onTestFinished(async () => void (await model.stop()));
    const home = claudeHome(model.url);
    onTestFinished(() => home.remove());
    await expectReplay('claude', program, model, home.env);
  },
);

test.for(CODEXES)(
  'BIND-3 the real %s that was killed after its answer and asks the same again gets it from the record',
  { timeout: LONG },
  async (name, { skip }) => {
    const program = await realCli(name, skip);
    const { multiSelect: _, ...asked } = question;
    const ask = (id: string) => functionCall(id, 'ask_human', { questions: [asked] });
    const model = await startOpenAi([
      ask('call_1'),
      delay(LONG, message('never')),
      ask('call_2'),
      message(RESULT),
    ]);
    onTestFinished(() => model.stop());
    const home = codexHome(model.url);
    onTestFinished(() => home.remove());
    await expectReplay('codex', program, model, home.env);
  },
);
