import type { By } from '../../schema/actor.ts';
import type { AutonomyLevel, HilConfig } from '../../schema/autonomy.ts';
import type { Notification, ResponseInput } from '../../schema/notification.ts';
import type { Answer, Question } from '../../schema/question.ts';
import type { Tx } from '../engine/store.ts';
import { toNotification } from '../notifications/notification-sql.ts';
import { blankIn } from '../notifications/questions.ts';
import { selectAsked } from '../notifications/request-sql.ts';
import { levelAlone } from './autonomy.ts';

/** Answers that no person gave, and the name of the policy behind them. */
export interface PolicyAnswers {
  name: string;
  responses: Extract<ResponseInput, { answer: Answer }>[];
}

/** After this many rounds, an agent that keeps asking needs a person. */
const MAX_ROUNDS_ALONE = 3;

/** What an agent gets if it recommended nothing. */
const OWN_JUDGEMENT = 'Use your own best judgement.';

const alone: AutonomyLevel[] = ['automated', 'notify_and_proceed'];

/** The answers to questions that the project lets the agent decide alone: its own recommendations. */
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
  return isNeeded && (await rounds(tx, asked)) < MAX_ROUNDS_ALONE ? answers : [];
}

function ownAnswer({ recommended, multi, options = [] }: Question): Answer {
  if (recommended === undefined || blankIn(options, recommended))
    return multi ? [OWN_JUDGEMENT] : OWN_JUDGEMENT;
  if (Array.isArray(recommended)) return multi ? recommended : recommended.join(', ');
  return multi ? [recommended] : recommended;
}

/** How often one of these policies has answered this asker. */
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
