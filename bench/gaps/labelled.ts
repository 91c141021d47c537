import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { promptHash } from '../../src/issues/analyst/prompt.ts';
import { GapType } from '../../src/schema/qa.ts';

const FOLDER = 'bench/gaps';

const Labelled = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string().nullable(),
  labels: z.array(z.string()).default([]),
  gaps: z.array(GapType),
});
export type Labelled = z.infer<typeof Labelled>;

/** Issues with the gaps that a competent engineer would ask about; see README.md. */
export function labelled(file: string): Labelled[] {
  return z.array(Labelled).parse(JSON.parse(readFileSync(file, 'utf8')));
}

export const sets = { real: join(FOLDER, 'issues.json'), short: join(FOLDER, 'short.json') };

const Recording = z.object({
  about: z.string(),
  /** The hash of the prompt; null if there was no fixed prompt. */
  prompt: z.string().nullable(),
  /** What the model answered about each issue, as the Analyst answers; or only the gaps. */
  judged: z
    .record(z.string(), z.object({ gaps: z.array(z.unknown()), dropped: z.array(z.unknown()) }))
    .optional(),
  gaps: z.record(z.string(), z.array(GapType)).optional(),
});

export interface Recording {
  name: string;
  /** Whether it was made with the prompt as it is now. */
  isCurrent: boolean;
  /** The gaps of an issue by its id. */
  gapsOf(id: string): readonly GapType[];
  /** The answer about an issue with this number, as the Analyst's reader takes it. */
  answerAbout?(id: string, number: number): string;
}

/** What models answered. */
export function recordings(): Recording[] {
  const folder = join(FOLDER, 'recorded');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => recordingOf(name.slice(0, -'.json'.length), readFileSync(join(folder, name), 'utf8')));
}

const Covers = z.object({ type: GapType, covers: z.array(GapType).default([]) });

function recordingOf(name: string, text: string): Recording {
  const { prompt, judged, gaps = {} } = Recording.parse(JSON.parse(text));
  const gapsOf = (id: string) => {
    const said = judged?.[id]?.gaps.map((gap) => Covers.parse(gap)) ?? [];
    return gaps[id] ?? [...new Set(said.flatMap(({ type, covers }) => [type, ...covers]))];
  };
  const base = { name, isCurrent: prompt === null || prompt === promptHash, gapsOf };
  if (!judged) return base;
  const answerAbout = (id: string, number: number) =>
    JSON.stringify({ issues: [{ number, gaps: [], dropped: [], ...judged[id] }] });
  return { ...base, answerAbout };
}

export interface Pair {
  found: readonly GapType[];
  justified: readonly GapType[];
}

/** How well found gaps match the justified ones, of one type or of all. */
export function quality(pairs: readonly Pair[], type?: GapType) {
  let right = 0;
  let all = 0;
  let wanted = 0;
  for (const { found, justified } of pairs) {
    const gaps = found.filter((gap) => type === undefined || gap === type);
    right += gaps.filter((gap) => justified.includes(gap)).length;
    all += gaps.length;
    wanted += justified.filter((gap) => type === undefined || gap === type).length;
  }
  return {
    precision: all === 0 ? 1 : right / all,
    recall: wanted === 0 ? 1 : right / wanted,
    f1: all + wanted === 0 ? 1 : (2 * right) / (all + wanted),
  };
}

/** How many issues need no question, how many of them are left alone, and how many of the others are asked about. */
export function attention(pairs: readonly Pair[]) {
  const complete = pairs.filter(({ justified }) => justified.length === 0);
  return {
    complete: complete.length,
    leftAlone: complete.filter(({ found }) => found.length === 0).length,
    askedAbout: pairs.filter(({ found, justified }) => justified.length > 0 && found.length > 0).length,
  };
}
