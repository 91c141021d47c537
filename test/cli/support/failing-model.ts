import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ASSUME } from '../../../src/agents/questions/answer-text.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import { type RealCliName, realCli } from '../../agents/clis/real-cli.ts';
import { type Running, startFermata } from '../../support/fermata.ts';
import { type Outage, outage } from '../../support/model/outages.ts';
import { drop } from '../../support/model/script.ts';
import { untilDeserted } from '../../support/processes.ts';
import { claudeVoice, codexVoice, isCodex, type Voice } from './model-voice.ts';
import { ANSWER, tick } from './person.ts';

/**
 * When it asks; `beside a sub-agent` that works meanwhile and whose requests fail; or in a message that breaks off.
 */
export type Asks = 'once' | 'never' | 'after background work' | 'beside a sub-agent' | 'breaking off';

const DATABASE = { question: 'Which database?', header: 'Database', options: ['SQLite', 'PostgreSQL'] };
/** The agent's default prompt. Its sub-agents do not see it. */
export const TOPIC = 'A shop';

/** A real agent whose model asks once, ends when it has the answer, and fails when told to. */
export interface FailingModel {
  /** What the agent itself has sent to its model. */
  requests: readonly unknown[];
  /** Makes this many of the next requests fail like this. */
  fail(kind: Outage, times: number): void;
  /** How often it has failed. */
  failures(): number;
  /** While held, it does not answer. */
  hold(held: boolean): void;
  /** How often it has asked. */
  asks(): number;
  /** How often its last request has the answer: as a result, or in words. */
  answers(): number;
  at: { cwd: string; env: Record<string, string>; limitMs: number };
  by: string[];
  ledger(): Promise<Ledger>;
  start(...args: string[]): Running;
}

export async function failingModel(
  name: RealCliName,
  skip: (note: string) => never,
  lastWord: string,
  asks: Asks = 'once',
  topic = TOPIC,
): Promise<FailingModel> {
  const program = await realCli(name, skip);
  return isCodex(name)
    ? open(codexVoice(name), program, lastWord, asks, topic)
    : open(claudeVoice, program, lastWord, asks, topic);
}

async function open<Request, Reply extends object>(
  voice: Voice<Request, Reply>,
  program: string,
  lastWord: string,
  asks: Asks,
  topic: string,
): Promise<FailingModel> {
  let failure: { kind: Outage; times: number; since: number } = { kind: 500, times: 0, since: 0 };
  let arrived = 0;
  let failures = 0;
  let asked = 0;
  let works = 0;
  let isHeld = false;
  const requests: Request[] = [];
  const has = (request: Request, words: string) =>
    voice.told(request).some(({ text }) => text.includes(words));
  const model = await voice.serve(async (request) => {
    arrived += 1;
    const number = arrived;
    const isOwn = asks !== 'beside a sub-agent' || has(request, topic);
    if (isOwn) requests.push(request);
    // A sub-agent is not done before the question is open.
    while (isHeld || (!isOwn && asked === 0)) await tick(20);
    if (failure.times > 0 && number > failure.since && isOwn === (asks !== 'beside a sub-agent')) {
      failure = { ...failure, times: failure.times - 1 };
      failures += 1;
      return outage(failure.kind, voice.say('Half of an ans'));
    }
    if (!isOwn) return voice.say('I looked around.');
    if (asks === 'never') return voice.say(lastWord);
    if (has(request, ANSWER) || has(request, ASSUME)) {
      // An agent that may not ask is told to assume at once, without waiting for the sub-agent's failure.
      while (asks === 'beside a sub-agent' && failure.times > 0 && failures === 0) await tick(20);
      return voice.say(lastWord);
    }
    if (asks === 'after background work' && !has(request, voice.atWork)) {
      works += 1;
      return voice.work(`call_work_${works}`);
    }
    if (asks === 'beside a sub-agent' && !voice.told(request).some(({ callId }) => callId === 'call_sub'))
      return voice.sendOut('call_sub', 'LOOKOUT');
    asked += 1;
    const call = { callId: `call_ask_${asked}`, questions: [DATABASE] };
    const isHalf = asks === 'breaking off' && asked === 1;
    return isHalf ? drop(voice.ask([call, { ...call, callId: 'call_half' }])) : voice.ask([call]);
  });
  onTestFinished(() => model.stop());
  const home = voice.home(model.url);
  onTestFinished(async () => {
    await untilDeserted(home.cwd);
    home.remove();
  });
  const env = { ...home.env, FERMATA_HOME: join(home.home, 'fermata'), FERMATA_PROJECT: 'p' };
  const at = { cwd: home.cwd, env, limitMs: 180_000 };
  return {
    requests,
    at,
    by: ['--agent', voice.agent, '--agent-command', program],
    fail: (kind, times) => {
      failure = { kind, times, since: arrived };
    },
    failures: () => failures,
    hold: (held) => {
      isHeld = held;
    },
    asks: () => asked,
    answers() {
      const last = requests.at(-1);
      return last ? voice.told(last).filter(({ text }) => text.includes(ANSWER)).length : 0;
    },
    async ledger() {
      const ledger = await openLedger(join(env.FERMATA_HOME, 'ledger.db'));
      onTestFinished(() => ledger.close());
      return ledger;
    },
    start(...args) {
      const running = startFermata(args, at);
      running.child.stdin?.end();
      return running;
    },
  };
}

/** Whether the drafted plan exists. After that, a kill leaves nothing to resume. */
export const isWritten = ({ at }: FailingModel) =>
  existsSync(join(at.cwd, 'plans', 'a-shop', 'MASTER_PLAN.md'));
