import { crashPoint } from '../../ledger/crash-point.ts';
import { limits } from '../../schema/limits.ts';
import type { Notification } from '../../schema/notification.ts';
import type { NewPhaseRecord, PhaseRecord } from '../../schema/phase-record.ts';
import { Refusal } from '../../schema/refusal.ts';
import { fenceOf, holdPhase } from './hold.ts';
import type { PhaseTask } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';
import { showStatus } from './show-status.ts';
import { worktreeOf } from './worktree.ts';

type WalkthroughType = 'initial' | 'review-refinement' | 'testing-refinement';

export interface Implementation {
  walkthrough: string;
  iteration: number;
  reason: string | undefined;
}

export function iterationOf(records: readonly Pick<PhaseRecord, 'iteration'>[]): number {
  return Math.max(1, ...records.map(({ iteration }) => iteration));
}

/** Records what an agent did; a repetition changes nothing. */
export async function recordImplementation(
  planContext: PlanContext,
  at: PhaseTask,
  given: Implementation,
): Promise<object> {
  const { ledger, projectId } = planContext;
  await holdPhase(planContext, at);
  await worktreeOf(planContext, at);
  const added = await appendImplementation(planContext, at.taskId, given);
  await showStatus(planContext, at);
  const records = (await ledger.phases.list(projectId, at.taskId)).filter(
    (each) => each.kind === 'implementation',
  );
  const record = records.find(({ iteration }) => iteration === given.iteration);
  return {
    id: at.taskId,
    iteration: given.iteration,
    walkthrough_type: record?.data.type,
    recorded: added !== undefined,
    iterations: records.length,
  };
}

/** The same for any task, by its holder; undefined if exactly this is already on record. */
export async function appendImplementation(
  planContext: Pick<PlanContext, 'ledger' | 'projectId' | 'by' | 'fence'>,
  taskId: string,
  given: Implementation,
): Promise<PhaseRecord | undefined> {
  const { ledger, projectId, by } = planContext;
  const gates = await ledger.notifications.asked(projectId, 'gate', taskId);
  const next = (records: PhaseRecord[], clean: (text: string) => string) =>
    nextRecord(records, { ...given, walkthrough: clean(given.walkthrough) }, gates);
  const added = await ledger.phases.append(projectId, taskId, by, next, fenceOf(planContext));
  crashPoint('record.appended');
  return added;
}

/** Validates a record before anything is looked up. */
export function readImplementation(
  walkthrough: string | undefined,
  iteration: string | undefined,
  reason: string | undefined,
): Implementation {
  if (!walkthrough?.trim()) {
    throw new Refusal('missing_walkthrough', 'The walkthrough is missing.', {
      suggestion: 'Say what you did and why: --walkthrough TEXT.',
      code: 'invalid',
    });
  }
  if (walkthrough.length > limits.chatText) {
    throw new Refusal(
      'too_long',
      `The walkthrough has ${walkthrough.length} characters; the limit is ${limits.chatText}.`,
      { code: 'invalid' },
    );
  }
  const number =
    iteration === undefined ? 1 : Number(/^[1-9]\d{0,3}$/.test(iteration) ? iteration : Number.NaN);
  if (Number.isNaN(number)) {
    throw new Refusal('invalid_number', `--iteration: "${iteration}" is not a number from 1 to 9999.`, {
      code: 'invalid',
    });
  }
  if (number > 1 && !reason?.trim()) {
    throw new Refusal('missing_refinement_reason', `Iteration ${number} needs a reason for the refinement.`, {
      suggestion: 'Pass --refinement-reason "Review feedback: …" or "Testing feedback: …".',
      code: 'invalid',
    });
  }
  return { walkthrough, iteration: number, reason: reason?.trim() || undefined };
}

/** Undefined if exactly this is already on record. */
export function nextRecord(
  records: PhaseRecord[],
  { walkthrough, iteration, reason }: Implementation,
  gates: Notification[],
): Extract<NewPhaseRecord, { kind: 'implementation' }> | undefined {
  const before = records.filter((each) => each.kind === 'implementation');
  const same = before.find((record) => record.iteration === iteration);
  if (same?.data.walkthrough === walkthrough) return undefined;
  const last = Math.max(0, ...before.map((record) => record.iteration));
  if (iteration <= last) {
    throw new Refusal(
      'already_recorded',
      `Iteration ${iteration} is already recorded with a different walkthrough.`,
      {
        suggestion: `Record the next one: --iteration ${last + 1} --refinement-reason "…"`,
        data: { last_iteration: last },
      },
    );
  }
  const type = typeOf(iteration, reason ?? '', before.at(-1), gates);
  return { kind: 'implementation', iteration, data: { type, walkthrough, reason: reason ?? null } };
}

function typeOf(
  iteration: number,
  reason: string,
  last: PhaseRecord | undefined,
  gates: Notification[],
): WalkthroughType {
  if (iteration === 1) return 'initial';
  if (/^test/i.test(reason)) return 'testing-refinement';
  if (/^review/i.test(reason)) return 'review-refinement';
  const tried = gates.some(
    ({ gate, resolvedAt }) =>
      gate?.kind === 'testing' && resolvedAt !== undefined && resolvedAt > (last?.at ?? ''),
  );
  return tried ? 'testing-refinement' : 'review-refinement';
}
