import type { CliHome } from '../../../support/model/cli-home.ts';
import { gate } from '../../../support/model/script.ts';
import { LANGUAGE, PROMPT } from '../hands.ts';
import { type Mood, moody } from '../mood.ts';
import { DONE, type Plot, type PlotQuestion, type Round, type Told, type World } from '../plot.ts';

/** What differs between the models of real CLIs. */
export interface Wording<Request, Reply> {
  callName(round: number, call: number): string;
  say(text: string): Reply;
  run(callId: string, command: string): Reply;
  ask(calls: { callId: string; questions: PlotQuestion[] }[]): Reply;
  /** What the user and the tools have said in a conversation. */
  told(request: Request): Told[];
}

/** The model derives its position in the plot from the conversation. */
export function playing<Request, Reply>(plot: Plot, { told, ...words }: Wording<Request, Reply>) {
  return (request: Request): Reply => {
    const known = told(request);
    const isDone = (round: Round, index: number) =>
      'run' in round
        ? known.some(({ callId }) => callId === words.callName(index, 0))
        : asked(round)
            .flat()
            .every(({ question }) => known.some(({ text }) => text.includes(question)));
    const at = plot.findIndex((round, index) => !isDone(round, index));
    const round = plot[at];
    if (round === undefined) return words.say(DONE);
    if ('run' in round) return words.run(words.callName(at, 0), round.run);
    return words.ask(
      asked(round).map((questions, call) => ({ callId: words.callName(at, call), questions })),
    );
  };
}

const asked = (round: Exclude<Round, { run: string }>) => ('ask' in round ? round.ask : [[round.takeBack]]);

const LOOKOUT = 'call_lookout';

/** The agent asks while a sub-agent works, and only the sub-agent's requests fail. The sub-agent starts once the question is open. */
export function besideSubAgent<Request, Reply>(
  mood: Mood,
  words: Wording<Request, Reply>,
  sendOut: (callId: string, brief: string) => Reply,
) {
  const asked = gate();
  const asks = playing([{ ask: [[LANGUAGE]] }], words);
  const isOwn = (request: Request) => words.told(request).some(({ text }) => text.includes(PROMPT));
  const script = async (request: Request) => {
    if (!isOwn(request)) {
      await asked.passed;
      return words.say('I looked around.');
    }
    if (!words.told(request).some(({ callId }) => callId === LOOKOUT)) return sendOut(LOOKOUT, 'LOOKOUT');
    asked.open();
    return asks(request);
  };
  return moody(mood, words.say(HALF), script, (request) => !isOwn(request));
}

/** What is left of a reply that breaks off. */
export const HALF = 'Half of an ans';

/** A real CLI at home, with a scripted model behind it. */
export function worldOf<Request>(
  program: string,
  home: CliHome,
  model: { requests: readonly Request[]; stop(): Promise<void> },
  told: (request: Request) => Told[],
  mood?: Mood,
): World {
  return {
    setup: { cwd: home.cwd, env: home.env, program, mustAsk: true, timeoutMs: 60_000 },
    told(question) {
      // Its sub-agents have requests of their own.
      const isOwn = (request: Request) => told(request).some(({ text }) => text.includes(PROMPT));
      const last = model.requests.findLast(isOwn);
      return last ? told(last).filter(({ text }) => text.includes(question)) : [];
    },
    ...(mood ? { mood } : {}),
    async close() {
      home.remove();
      await model.stop();
    },
  };
}

/** Of a message's content: a text, or parts that have one. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('\n');
}

export const described = (options: string[]) =>
  options.map((label) => ({ label, description: `${label} it is` }));
