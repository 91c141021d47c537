import { FermataError } from '../../schema/error.ts';
import type { Notification, Response } from '../../schema/notification.ts';

/** The error that says how a notification was settled, for a caller that came too late. */
export function tooLate(current: Notification): FermataError {
  return gone(current) ?? conflict(current);
}

/** Why it accepts no answer any more, if so. */
export function gone(current: Notification): FermataError | undefined {
  if (current.status === 'recorded') {
    return new FermataError('invalid', `Notification ${current.id} is a notice, so it needs no answer.`);
  }
  const { outcome } = current;
  if (outcome !== 'withdrawn' && outcome !== 'superseded' && outcome !== 'expired') return undefined;
  const instead = current.supersededBy ? ` Answer ${current.supersededBy} instead.` : '';
  return new FermataError(
    'gone',
    `Question ${current.id} was ${outcome}: ${current.reason ?? 'no reason given'}${endsInStop(current.reason) ? '' : '.'}${instead}`,
    { details: { outcome, reason: current.reason ?? null, supersededBy: current.supersededBy ?? null } },
  );
}

const endsInStop = (text: string | undefined) => text !== undefined && /[.!?]$/.test(text);

/** Refuses a second, different answer: names who answered that question, when and with what. */
export function conflict(current: Notification, stored?: Response): FermataError {
  const by = stored?.by ?? current.resolvedBy;
  const at = stored?.at ?? current.resolvedAt;
  const who = by
    ? `${by.actor.kind === 'policy' ? 'policy ' : ''}${by.actor.name} (${by.channel})`
    : 'somebody';
  const what = current.responses.map((response) => describe(current, response)).join('; ') || current.outcome;
  return new FermataError(
    'conflict',
    `Question ${current.id} was already settled by ${who} at ${at}: ${what}.`,
    {
      details: {
        outcome: current.outcome ?? null,
        by: by ?? null,
        at: at ?? null,
        responses: current.responses,
        reason: current.reason ?? null,
      },
    },
  );
}

function describe({ questions }: Notification, response: Response): string {
  const said = response.kind === 'answered' ? short([response.answer].flat().join(', '), 200) : response.kind;
  const asked = questions.find(({ id }) => id === response.questionId);
  return questions.length === 1 || !asked ? said : `"${short(asked.text, 60)}" ${said}`;
}

const short = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);
