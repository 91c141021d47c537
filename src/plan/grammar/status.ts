import { editDistance } from '../../config/near.ts';

/** The status of a phase. People may write it in several ways; this is the normal form. */
export const statuses = [
  'pending',
  'running',
  'validating',
  'completed',
  'failed',
  'blocked',
  'awaiting_human',
] as const;
export type Status = (typeof statuses)[number];

/** How we write a status into a file. */
export const statusLabels = {
  pending: 'Pending',
  running: 'In Progress',
  validating: 'Validating',
  completed: 'Completed',
  failed: 'Failed',
  blocked: 'Blocked',
  awaiting_human: 'Awaiting Human',
} as const satisfies Record<Status, string>;

export const statusEmoji = {
  pending: '⏳',
  running: '🔄',
  validating: '🔍',
  completed: '✅',
  failed: '❌',
  blocked: '⛔',
  awaiting_human: '✋',
} as const satisfies Record<Status, string>;

export interface ReadStatus {
  status: Status;
  known: boolean;
  word: string;
  /** Where the word begins in the text. */
  start: number;
}

/** The longest cell to search, because a status is a word or two. */
const MAX_LENGTH = 200;
const before = /^(?:[^\p{L}:]|:[\w+-]{1,40}:|:)*/u;
const words =
  /^(?:(pending)|(in[\s_-]{0,3}progress|running)|(validating)|(completed?|done)|(failed)|(blocked)|(awaiting(?:[\s_-]{0,3}human)?))(?![\p{L}\p{N}])/iu;
const otherWords = /^[\p{L}\p{N}]+(?:[\s_-]+[\p{L}\p{N}]+)*/u;
const nothing = /^(?:n\/?a|none|unknown|tbd)?$/i;

/** The usual spellings, found without a search. */
const usualWords = new Map(statuses.map((status) => [statusLabels[status] as string, status]));

/** Reads a status with anything around it: an emoji, bold type, a remark. Undefined if there is none. */
export function readStatus(text: string): ReadStatus | undefined {
  const usual = usualWords.get(text);
  if (usual) return { status: usual, known: true, word: text, start: 0 };
  const shown = text.slice(0, MAX_LENGTH);
  const start = before.exec(shown)?.[0].length ?? 0;
  const rest = shown.slice(start);
  const match = words.exec(rest);
  if (match) {
    const index = match.slice(1).findIndex((group) => group !== undefined);
    return { status: statuses[index] ?? 'pending', known: true, word: match[0], start };
  }
  if (rest === '') return emojiAlone(shown);
  const word = otherWords.exec(rest)?.[0] ?? rest;
  if (nothing.test(rest.trim())) return undefined;
  return { status: 'pending', known: false, word, start };
}

function emojiAlone(text: string): ReadStatus | undefined {
  for (const status of statuses) {
    const start = text.indexOf(statusEmoji[status]);
    if (start >= 0) return { status, known: true, word: statusEmoji[status], start };
  }
  return undefined;
}

/** What people write instead, though it is not a valid status. */
const synonyms: [Status, string][] = [
  ['pending', 'todo to-do not-started planned open new queued ready'],
  ['running', 'wip started active doing ongoing working in-work'],
  ['validating', 'testing verifying review in-review reviewing'],
  ['completed', 'finished closed merged ok success complet'],
  ['failed', 'error broken failing'],
  ['blocked', 'stuck on-hold paused'],
  ['awaiting_human', 'waiting waiting-for-human needs-human needs-review'],
];
const meanings = new Map<string, Status>([
  ...synonyms.flatMap(([status, list]) => list.split(' ').map((word) => [flat(word), status] as const)),
  ...statuses.flatMap((status) =>
    [status, statusLabels[status]].map((word) => [flat(word), status] as const),
  ),
  ['done', 'completed'],
  ['complete', 'completed'],
]);

/** How many letters may be wrong, missing or too many. */
const MAX_TYPOS = 2;

/** The status that an unknown word means: a synonym, or a similar spelling. */
export function closestStatus(word: string): Status | undefined {
  const wanted = flat(word);
  const exact = meanings.get(wanted);
  if (exact || wanted.length < 5 || wanted.length > 20) return exact;
  const near = [...meanings].filter(
    ([known]) => known.length >= 5 && editDistance(wanted, known) <= MAX_TYPOS,
  );
  const found = new Set(near.map(([, status]) => status));
  return found.size === 1 ? near[0]?.[1] : undefined;
}

function flat(word: string): string {
  return word.toLowerCase().replace(/[\s_-]+/g, '');
}
