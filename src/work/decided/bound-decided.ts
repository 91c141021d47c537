import type { Decided, Nearness } from './decided.ts';

/** What was left out or cut. */
interface LeftOut {
  /** The ids of decisions. */
  decisions: string[];
  assumptions: number;
  /** The numbers of issues whose texts were cut. */
  issues: number[];
}

export interface BoundedDecided extends Decided {
  leftOut: LeftOut;
}

/** In characters. A phase has few issues; a project may have thousands of decisions. */
const room = { decisions: 40_000, answer: 8000, assumptions: 10_000, issues: 40_000 };

/** As much as fits into a prompt: what is nearest to the phase first, newest first within that. */
export function boundDecided({ decisions, assumptions, issues }: Decided): BoundedDecided {
  const said = fitting(decisions.map(shortened), room.decisions);
  const whole = new Set(said.filter((each) => decisions.includes(each)));
  const taken = fitting(assumptions, room.assumptions);
  const share = Math.floor(room.issues / Math.max(1, issues.length));
  return {
    decisions: said,
    assumptions: taken,
    issues: issues.map((issue) => ({ ...issue, text: issue.text === null ? null : cut(issue.text, share) })),
    leftOut: {
      decisions: decisions.filter((each) => !whole.has(each)).map(({ id }) => id),
      assumptions: assumptions.length - taken.length,
      issues: issues.flatMap(({ number, text }) => (text !== null && text.length > share ? [number] : [])),
    },
  };
}

const order: Record<Nearness, number> = { phase: 0, plan: 1, project: 2 };

/** The entries that fit, in their original order. */
function fitting<Entry extends { about: Nearness }>(entries: readonly Entry[], most: number): Entry[] {
  const kept = new Set<Entry>();
  let left = most;
  for (const entry of entries.toSorted((a, b) => order[a.about] - order[b.about])) {
    const size = JSON.stringify(entry).length;
    if (size > left) continue;
    left -= size;
    kept.add(entry);
  }
  return entries.filter((entry) => kept.has(entry));
}

type Said = Decided['decisions'][number];

/** Returns the same object if it is short enough. */
function shortened(said: Said): Said {
  const { question, answer, note } = said;
  const isLong = [question, note ?? '', ...[answer].flat()].some((text) => text.length > room.answer);
  if (!isLong) return said;
  const short = (text: string) => cut(text, room.answer);
  return {
    ...said,
    question: short(question),
    answer: Array.isArray(answer) ? answer.map(short) : short(answer),
    note: note === null ? null : short(note),
  };
}

const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most)}\n… (${text.length - most} more characters)` : text;
