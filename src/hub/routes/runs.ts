import * as z from 'zod';
import { writeCursor } from '../../ledger/engine/stored.ts';
import { FermataError } from '../../schema/error.ts';
import { Event } from '../../schema/event.ts';
import { limits } from '../../schema/limits.ts';
import { Notification } from '../../schema/notification.ts';
import { OtherRunData, Run, RunInput, RunStep } from '../../schema/run.ts';
import { ChatMessage } from '../../schema/task.ts';
import { tellSession } from '../../sessions/tell.ts';
import { mayBePhase } from '../../work/phases/phase-task.ts';
import type { Caller } from '../auth/caller.ts';
import { type Call, type Route, route } from '../route.ts';
import { after, afterEvent, eventLimit, limit, pageOf } from './page-of.ts';
import { REMOTE_LEASE_SECONDS, RemoteLease } from './task-patch.ts';

const NewRun = RunInput.omit({ projectId: true, cwd: true, data: true }).extend({
  cwd: RunInput.shape.cwd.optional(),
  data: OtherRunData.omit({ for: true }).optional(),
  leaseSeconds: RemoteLease.optional(),
});

const fence = z.number().int().describe('The number of the claim; a stale one is refused.');

const RunPatch = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('running'), fence, leaseSeconds: RemoteLease }),
  z.strictObject({ status: z.literal('waiting'), fence }),
  z.strictObject({
    status: z.literal('ended'),
    fence,
    reason: z.string().min(1).max(limits.id),
    message: z.string().max(limits.reason),
    text: z.string().max(limits.chatText).optional(),
  }),
]);

export const runRoutes: Route[] = [
  route({
    operationId: 'listRuns',
    method: 'get',
    path: '/projects/:project/runs',
    summary: 'Lists runs of agents, newest first.',
    who: 'person',
    query: z.strictObject({ after, limit }),
    data: z.array(Run),
    paged: true,
    async handle({ ledger, params, query }) {
      const { id: projectId } = await ledger.projects.get(params.project ?? '');
      return pageOf(
        query,
        (most, from) => ledger.runs.list(projectId, most, from),
        ({ startedAt, id }) => writeCursor(startedAt, id),
      );
    },
  }),
  route({
    operationId: 'startRun',
    method: 'post',
    path: '/projects/:project/runs',
    summary: 'Adds a run, which the caller holds until the lease expires.',
    who: 'anybody',
    body: NewRun,
    statuses: [201],
    data: Run,
    async handle({ ledger, caller, params, body, by }) {
      const { leaseSeconds = REMOTE_LEASE_SECONDS, cwd = '', data = {}, ...run } = body;
      refuseRunOfPhase(caller, run.sourceId);
      const own = { ...data, for: 'other' as const };
      const input = { ...run, cwd, data: own, projectId: params.project ?? '' };
      const started = await ledger.runs.start(input, { worker: caller.name, leaseSeconds }, by);
      return { data: started };
    },
  }),
  route({
    operationId: 'getRun',
    method: 'get',
    path: '/projects/:project/runs/:run',
    summary: 'Reads one run, with its first hundred questions.',
    who: 'person',
    data: Run.extend({ questions: z.array(Notification) }),
    async handle({ ledger, params }) {
      const { project = '', run: id = '' } = params;
      const run = await ledger.runs.get(project, id);
      return { data: { ...run, questions: await ledger.runs.questions(project, id, limits.questions) } };
    },
  }),
  route({
    operationId: 'changeRun',
    method: 'patch',
    path: '/projects/:project/runs/:run',
    summary: 'Renews the lease of a run (`running`), releases it (`waiting`), or ends it.',
    who: 'anybody',
    body: RunPatch,
    data: Run,
    async handle(call) {
      const { ledger, body, by } = call;
      const run = await heldRun(call, body.fence);
      switch (body.status) {
        case 'running':
          return { data: await ledger.runs.heartbeat(run, body.leaseSeconds, by) };
        case 'waiting':
          return { data: await ledger.runs.wait(run, by) };
        case 'ended': {
          const { reason, message, text = '' } = body;
          return { data: await ledger.runs.end(run, { reason, message }, text, by) };
        }
        default: {
          const never: never = body;
          return never;
        }
      }
    },
  }),
  route({
    operationId: 'tellSession',
    method: 'post',
    path: '/projects/:project/runs/:run/messages',
    summary: 'Says something to the agent of a session that a person started: news, never consent.',
    who: 'person',
    body: z.strictObject({ text: z.string().trim().min(1).max(limits.chatText) }),
    statuses: [201],
    data: ChatMessage,
    async handle({ ledger, params, body, by }) {
      const run = await ledger.runs.get(params.project ?? '', params.run ?? '');
      return { data: (await tellSession(ledger, run, body.text, by)).message };
    },
  }),
  route({
    operationId: 'listRunEvents',
    method: 'get',
    path: '/projects/:project/runs/:run/events',
    summary: "Lists a run's events after a number, in order.",
    who: 'person',
    query: z.strictObject({ after: afterEvent, limit: eventLimit }),
    data: z.array(Event),
    paged: true,
    async handle({ ledger, params, query }) {
      const { projectId, id } = await ledger.runs.get(params.project ?? '', params.run ?? '');
      return pageOf(
        query,
        (most, from) => ledger.events.ofRun(projectId, id, from, most),
        ({ number }) => number,
      );
    },
  }),
  route({
    operationId: 'addRunEvents',
    method: 'post',
    path: '/projects/:project/runs/:run/events',
    summary: 'Records what the agent said and did.',
    who: 'anybody',
    body: z.strictObject({ fence, steps: z.array(RunStep).min(1).max(100) }),
    statuses: [201],
    data: z.null(),
    async handle(call) {
      const run = await heldRun(call, call.body.fence);
      await call.ledger.runs.report(run, call.body.steps, call.by);
      return { data: null };
    },
  }),
];

/** The run, if the caller holds it. */
async function heldRun({ ledger, caller, params }: Call<unknown, unknown>, fence: number): Promise<Run> {
  const run = await ledger.runs.get(params.project ?? '', params.run ?? '');
  refuseRunOfPhase(caller, run.sourceId);
  if (caller.role === 'agent' && run.holder !== null && run.holder !== caller.name) {
    throw new FermataError('forbidden', `Run ${run.id} is held by another agent, so you cannot change it.`);
  }
  return { ...run, fence };
}

/** The records of a phase's runs decide which program starts next and what is checked before its merge. */
function refuseRunOfPhase({ role }: Caller, sourceId: string): void {
  if (role !== 'agent' || !mayBePhase(sourceId)) return;
  throw new FermataError(
    'forbidden',
    `${sourceId} looks like a phase of a plan, and only "fermata run" records the runs of phases. Use another task.`,
  );
}
