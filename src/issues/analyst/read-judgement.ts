import * as z from 'zod';
import { type RoleAnswer, readAnswer } from '../../agents/roles/role-answer.ts';
import type { JudgedGap, JudgedIssue } from '../../schema/judgement.ts';
import { GapType } from '../../schema/qa.ts';
import { type Issue, issueText } from '../issue.ts';

const MAX_TEXT = 2000;
const MAX_GAPS = 8;

const Text = z.string().trim().max(MAX_TEXT);
const Type = GapType.exclude(['general']);

const Gap = z.object({
  type: Type,
  covers: z.array(Type).catch([]),
  question: Text.min(1),
  why: Text.catch(''),
  quote: Text.min(1),
  place: Text.catch('body'),
  options: z.array(Text.min(1)).catch([]),
  recommended: Text.optional().catch(undefined),
  reason: Text.optional().catch(undefined),
  assumed: Text.catch(''),
  weight: z.number().int().min(1).max(3).catch(2),
});

const Dropped = z.object({ type: Type, reason: Text.min(1) });

/** A gap that cannot be read does not cost the others. */
const readable = <T extends z.ZodType>(schema: T) =>
  z.array(z.unknown()).transform((all) =>
    all.flatMap((each) => {
      const { data } = schema.safeParse(each);
      return data === undefined ? [] : [data as z.output<T>];
    }),
  );

const Answer = z.object({
  issues: z.array(
    z.object({
      number: z.number().int(),
      gaps: readable(Gap).catch([]),
      dropped: readable(Dropped).catch([]),
    }),
  ),
});

/** The text of a file of the repository; undefined if there is none that may be read. */
export type ReadFile = (path: string) => string | undefined;

/** What the Analyst says about these issues. What it quotes has to be there, or its question is dropped. */
export function readJudgement(
  text: string,
  asked: readonly { issue: Issue; hash: string }[],
  readFile: ReadFile,
): RoleAnswer<JudgedIssue[]> {
  const read = readAnswer(text, 'issues', Answer);
  if (read.kind !== 'answer') return read;
  const judged = asked.flatMap(({ issue, hash }): JudgedIssue[] => {
    const said = read.value.issues.find(({ number }) => number === issue.number);
    if (!said) return [];
    const gaps = said.gaps
      .filter((gap) => isQuoted(gap, issue, readFile))
      .slice(0, MAX_GAPS)
      .map(wholeGap);
    return [{ number: issue.number, hash, gaps, dropped: firstOfEach(said.dropped) }];
  });
  if (judged.length > 0) return { kind: 'answer', value: judged };
  return { kind: 'unreadable', reason: 'It names none of the issues.' };
}

function wholeGap({ covers, options, recommended, reason, assumed, ...gap }: z.infer<typeof Gap>): JudgedGap {
  const offered = [...new Set(options)].filter((option) => !hasBlank(option));
  const usable = offered.length >= 2 ? offered.slice(0, 4) : [];
  const isFounded = recommended !== undefined && usable.includes(recommended) && !!reason;
  return {
    ...gap,
    covers: [...new Set([gap.type, ...covers])],
    options: usable,
    ...(isFounded ? { recommended, reason } : {}),
    assumed: assumed || recommended || usable[0] || 'The agent decides.',
  };
}

/** An option has to be an answer as it is. */
const hasBlank = (option: string) => /…|\.{3}|_{3}|\[[^\]]*\]/.test(option);

function firstOfEach<T extends { type: GapType }>(all: T[]): T[] {
  return all.filter(({ type }, index) => all.findIndex((each) => each.type === type) === index);
}

function isQuoted({ quote, place }: z.infer<typeof Gap>, issue: Issue, readFile: ReadFile): boolean {
  if (isIn(quote, `${issue.title}\n${issueText(issue)}`)) return true;
  if (/^(?:title|body|comment)/i.test(place)) return false;
  const file = readFile(place);
  return file !== undefined && isIn(quote, file);
}

/** Line breaks and marks do not count, and what is left out in the middle may be marked. */
function isIn(quote: string, text: string): boolean {
  const parts = quote
    .split(/…|\.{3}/)
    .map(plain)
    .filter(Boolean);
  const whole = plain(text);
  let from = 0;
  return (
    parts.length > 0 &&
    parts.every((part) => {
      const at = whole.indexOf(part, from);
      from = at + part.length;
      return at >= 0;
    })
  );
}

const plain = (text: string) =>
  text
    .replace(/[*_`"'“”‘’]|^\s*>/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
