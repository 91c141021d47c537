import type { By } from '../../schema/actor.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Decision } from '../../schema/decision.ts';
import { FermataError } from '../../schema/error.ts';
import { isServerForm } from '../../schema/is-question.ts';
import type { Notification, Response } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { questionTitle } from '../../schema/question-title.ts';
import { oneLine } from '../../text/lines.ts';
import { insert, update } from '../engine/statements.ts';
import type { SqlRunner, Store, Tx } from '../engine/store.ts';
import { type Cursor, iso, readCursor, writeCursor } from '../engine/stored.ts';
import type { DecisionRow } from '../engine/tables.ts';
import { newId } from '../ids.ts';
import { questionKey } from '../notifications/questions.ts';
import { isAsRecommended } from '../notifications/responses.ts';

/** What people decided, so that the same question comes with its answer the next time. */
export class DecisionLog {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /** Every decision ever made, newest first; `after` is the cursor of the last one the caller has. */
  list(projectId: string, limit = 100, after?: string): Promise<Decision[]> {
    return this.#page(projectId, limit, after, true);
  }

  /** The current decisions, newest first, without those that were replaced. */
  current(projectId: string, limit = 100, after?: string): Promise<Decision[]> {
    return this.#page(projectId, limit, after, false);
  }

  async #page(projectId: string, limit: number, after: string | undefined, history: boolean) {
    const page = { limit, history, after: after === undefined ? undefined : readCursor(after) };
    return (await selectDecisions(this.#store.reader, projectId, page)).map(toDecision);
  }

  /** The current decision on the same question. */
  async find(
    projectId: string,
    question: Pick<Question, 'text' | 'options' | 'multi' | 'verbatim'>,
  ): Promise<Decision | undefined> {
    const row = await selectDecisionFor(this.#store.reader, projectId, questionKey(question));
    return row && toDecision(row);
  }

  /** The one decision whose id is this or begins with it, in any project. */
  async get(prefix: string): Promise<Decision> {
    const [row, other] = await selectDecisionsNamed(this.#store.reader, prefix);
    if (!row)
      throw new FermataError('not_found', `There is no decision ${prefix}. "${cmd`decisions`}" lists them.`);
    if (other && row.id !== prefix)
      throw new FermataError('invalid', `"${prefix}" matches several ids. Type more of it.`);
    return toDecision(row);
  }

  /** Revokes the permission to answer by itself; the decision stays on record. */
  async revoke(projectId: string, id: string, by: By): Promise<void> {
    await this.#store.write(projectId, async (tx) => {
      // The decision remains a recommendation but no longer answers the question by itself.
      const ended = await update(
        tx,
        'decisions',
        { standing: 0 },
        { project_id: projectId, id, standing: 1 },
      );
      if (ended === 0) {
        throw new FermataError(
          'not_found',
          `${id} is not a standing decision (one given with --always), so there is nothing to revoke. To change the answer: ${cmd`amend ${id} VALUE`}`,
        );
      }
      tx.emit({ type: 'settings.updated', by, data: { decisionId: id, standing: false } });
    });
  }
}

export const decisionCursor = ({ at, id }: Decision) => writeCursor(at, id);

/**
 * Records a person's answers; an amended one replaces the answer before it. A policy's answers are not decisions. Answers
 * to a form are not recorded, because agents read the decisions.
 */
export async function recordDecisions(tx: Tx, of: Notification, added: Response[]): Promise<void> {
  if (isServerForm(of)) return;
  for (const response of added) {
    const question = of.questions.find((q) => q.id === response.questionId);
    if (!question || response.kind !== 'answered' || response.by.actor.kind !== 'person') continue;
    const decision: DecisionRow = {
      id: newId('d'),
      project_id: tx.projectId,
      question_key: questionKey(question),
      question: questionTitle(question),
      answer: JSON.stringify(response.answer),
      note: response.note ?? null,
      source: of.source,
      source_id: of.sourceId,
      notification_id: of.id,
      by: JSON.stringify(response.by),
      at: tx.now,
      standing: response.standing ? 1 : 0,
      replaced_by: null,
      category: question.category ?? null,
      as_recommended:
        question.recommended === undefined ? null : Number(isAsRecommended(question, response.answer)),
    };
    await insert(tx, 'decisions', decision);
    if (response.version !== undefined) await replaceDecisions(tx, decision);
  }
}

/** Adds the earlier decision on the same question as the recommended answer. */
export async function withEarlierDecisions(
  tx: Tx,
  questions: Question[],
): Promise<{ questions: Question[]; standing: Map<string, Decision> }> {
  const standing = new Map<string, Decision>();
  const result: Question[] = [];
  for (const question of questions) {
    const row = await selectDecisionFor(tx, tx.projectId, questionKey(question));
    if (!row) {
      result.push(question);
      continue;
    }
    const decision = toDecision(row);
    if (decision.standing) standing.set(question.id, decision);
    const { answer, at, by } = decision;
    const earlier = { decisionId: decision.id, answer, by: by.actor.name, at };
    result.push({ ...question, recommended: answer, earlier });
  }
  return { questions: result, standing };
}

/** `DECISIONS.md`: who decided what and when, newest last. */
export function decisionsMarkdown(projectName: string, decisions: Decision[]): string {
  const entries = decisions.map((decision) => {
    const answer = Array.isArray(decision.answer) ? decision.answer.join(', ') : decision.answer;
    const lines = [
      `## ${oneLine(decision.question)}`,
      '',
      `**${oneLine(answer)}**`,
      '',
      ...(decision.note ? [decision.note.trim(), ''] : []),
      `Decided by ${decision.by.actor.name} on ${decision.at.slice(0, 10)} (${decision.source} ${oneLine(decision.sourceId)}, ${decision.id})${decision.standing ? '; standing: Fermata gives this answer whenever the same question comes up' : ''}.`,
      '',
    ];
    return lines.join('\n');
  });
  const intro = decisions.length === 0 ? 'Nothing has been decided yet.\n' : entries.join('\n');
  return `# Decisions of ${projectName}\n\n${intro}`;
}

function toDecision(row: DecisionRow): Decision {
  return {
    id: row.id,
    projectId: row.project_id,
    question: row.question,
    answer: JSON.parse(row.answer),
    note: row.note,
    source: row.source,
    sourceId: row.source_id,
    notificationId: row.notification_id,
    by: JSON.parse(row.by),
    at: iso(row.at),
    standing: row.standing === 1,
    replacedBy: row.replaced_by,
  };
}

/** The current decision on the same question. An earlier approval is never offered again. */
export async function selectDecisionFor(
  runner: SqlRunner,
  projectId: string,
  questionKey: string,
): Promise<DecisionRow | undefined> {
  const [row] = await runner.sql<DecisionRow>(
    `select * from decisions where project_id = ? and question_key = ? and source not in ('gate', 'approval')
     and replaced_by is null order by at desc, id desc limit 1`,
    projectId,
    questionKey,
  );
  return row;
}

export function selectDecisionsNamed(runner: SqlRunner, prefix: string): Promise<DecisionRow[]> {
  return runner.sql<DecisionRow>(
    'select * from decisions where id >= ? and id < ? order by id limit 2',
    prefix,
    `${prefix}~`,
  );
}

/** Newest first; replaced decisions are included only with `history`. */
export function selectDecisions(
  runner: SqlRunner,
  projectId: string,
  { after, limit, history }: { after?: Cursor; limit: number; history: boolean },
): Promise<DecisionRow[]> {
  return runner.sql<DecisionRow>(
    `select * from decisions where project_id = ? ${after ? 'and (at, id) < (?, ?)' : ''}
     ${history ? '' : 'and replaced_by is null'} order by at desc, id desc limit ?`,
    projectId,
    ...(after ? [after.at, after.id] : []),
    limit,
  );
}

/** Marks the decision from the answer before its amendment as replaced: it is no longer current or standing. */
export async function replaceDecisions(
  tx: Tx,
  replacement: Pick<DecisionRow, 'id' | 'notification_id' | 'question_key'>,
): Promise<void> {
  await tx.sql(
    `update decisions set replaced_by = ?, standing = 0
     where project_id = ? and notification_id = ? and question_key = ? and id <> ? and replaced_by is null`,
    replacement.id,
    tx.projectId,
    replacement.notification_id,
    replacement.question_key,
    replacement.id,
  );
}
