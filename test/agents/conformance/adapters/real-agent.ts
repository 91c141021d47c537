import type { CliHome } from '../../../support/model/cli-home.ts';
import type { Mood } from '../mood.ts';
import { DONE, type Plot, type PlotQuestion, type Round, type Told, type World } from '../plot.ts';

/** What tells one real CLI's model from another's. */
export interface Wording<Request, Reply> {
  callName(round: number, call: number): string;
  say(text: string): Reply;
  run(callId: string, command: string): Reply;
  ask(calls: { callId: string; questions: PlotQuestion[] }[]): Reply;
  /** What the user and the tools have said in a conversation. */
  told(request: Request): Told[];
}

/** The model knows from the conversation how far it has come in its plot. */
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
      const last = model.requests.at(-1);
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
