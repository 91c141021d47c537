import type { By } from '../../schema/actor.ts';
import type { AutonomyLevel, HilConfig } from '../../schema/autonomy.ts';
import type { Notification, ResponseInput } from '../../schema/notification.ts';
import type { Answer, Question } from '../../schema/question.ts';
import { toNotification } from '../engine/rows.ts';
import type { Tx } from '../engine/store.ts';
import { blankIn } from '../notifications/named-option.ts';
import { selectAsked } from '../notifications/request-sql.ts';
import { levelAlone } from './autonomy.ts';

/** Answers that nobody gave, and the name of what they rest on. */
export interface PolicyAnswers {
  name: string;
  responses: Extract<ResponseInput, { answer: Answer }>[];
}

/** After so many rounds an agent that goes on asking needs a person. */
const MOST_ROUNDS = 3;

/** What an agent is told that recommended nothing itself. */
const OWN_JUDGEMENT = 'Use your own best judgement.';

const alone: AutonomyLevel[] = ['automated', 'notify_and_proceed'];

/** The answers to questions of an agent that the project lets it decide alone: what it recommends itself. */
export async function autonomousAnswers(
  tx: Tx,
  asked: Pick<Notification, 'source' | 'sourceId' | 'kind'>,
  questions: Question[],
  hilConfig: HilConfig,
  by: By,
): Promise<PolicyAnswers[]> {
  if (by.actor.kind !== 'agent') return [];
  const answers = alone.map((level) => ({
    name: level,
    responses: questions
      .filter((question) => levelAlone(asked.kind, question, hilConfig) === level)
      .map((question) => ({ questionId: question.id, answer: ownAnswer(question) })),
  }));
  const isNeeded = answers.some(({ responses }) => responses.length > 0);
  return isNeeded && (await rounds(tx, asked)) < MOST_ROUNDS ? answers : [];
}

function ownAnswer({ recommended, multi, options = [] }: Question): Answer {
  if (recommended === undefined || blankIn(options, recommended))
    return multi ? [OWN_JUDGEMENT] : OWN_JUDGEMENT;
  if (Array.isArray(recommended)) return multi ? recommended : recommended.join(', ');
  return multi ? [recommended] : recommended;
}

/** How often this asker was answered by one of these policies. */
async function rounds(
  tx: Tx,
  { source, sourceId }: Pick<Notification, 'source' | 'sourceId'>,
): Promise<number> {
  const earlier = (await selectAsked(tx, tx.projectId, source, sourceId)).map(toNotification);
  return earlier.filter(({ responses }) =>
    responses.some(
      ({ by: { actor } }) => actor.kind === 'policy' && alone.some((level) => level === actor.name),
    ),
  ).length;
}
