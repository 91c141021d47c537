import * as z from 'zod';
import { findObject } from '../../agents/questions/find-json.ts';
import type { JsonRecord } from '../../ledger/forms/record.ts';
import { openQuestionsOf } from '../../ledger/notifications/open-questions.ts';
import { limits } from '../../schema/limits.ts';
import type { Question } from '../../schema/question.ts';

const text = z.string().max(limits.context);
const several = z.union([z.array(z.union([text, z.record(z.string(), z.unknown())])).max(200), text]);

/** What a reviewer answers. */
const Verdict = z.object({
  verdict: z.enum(['passed', 'changes']),
  thoughts: text.optional(),
  answered_questions: several.optional(),
  suggested_changes: several.optional(),
});
export type Verdict = z.infer<typeof Verdict>;

export type ReadVerdict =
  | { kind: 'verdict'; verdict: Verdict }
  /** It cannot judge before a person has answered. */
  | { kind: 'questions'; questions: Question[] }
  | { kind: 'unreadable'; why: string };

/** Reads a reviewer's answer strictly: anything that is not clearly a verdict is invalid, and never `passed`. */
export function readVerdict(answer: string): ReadVerdict {
  const found: JsonRecord[] = [];
  findObject(answer, (object) => {
    if ('verdict' in object || 'clarifying_questions' in object) found.push(object);
    return false;
  });
  const [first] = found;
  const { questions } = openQuestionsOf({ open_questions: found.at(-1)?.clarifying_questions });
  if (questions.length > 0) return { kind: 'questions', questions };
  if (!first) return unreadable('It has no JSON object with a "verdict".');
  if (found.some((each) => JSON.stringify(each.verdict) !== JSON.stringify(first.verdict))) {
    return unreadable('It has several different verdicts.');
  }
  const parsed = Verdict.safeParse(withoutNulls(found.at(-1) ?? first));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') || 'the object';
    return unreadable(`Its ${where} cannot be used: ${issue?.message ?? 'wrong value'}.`);
  }
  const verdict = parsed.data;
  const asksForChanges = isThere(verdict.suggested_changes);
  if (verdict.verdict === 'passed' && asksForChanges) {
    return unreadable('It says "passed" but suggests changes.');
  }
  if (verdict.verdict === 'changes' && !asksForChanges && !isThere(verdict.thoughts)) {
    return unreadable('It says "changes" but suggests none.');
  }
  return { kind: 'verdict', verdict };
}

function withoutNulls(object: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

function isThere(value: Verdict['suggested_changes']): boolean {
  return value !== undefined && value.length > 0;
}

const unreadable = (why: string): ReadVerdict => ({ kind: 'unreadable', why });
