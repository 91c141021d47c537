import * as z from 'zod';
import { Actor, By, Channel } from '../schema/actor.ts';
import { AutonomyLevel, AutonomyPreset, HilConfig } from '../schema/autonomy.ts';
import { Identity, Role, Token, TokenInput } from '../schema/credential.ts';
import { Decision } from '../schema/decision.ts';
import { ErrorBody } from '../schema/error-body.ts';
import {
  Event,
  NotificationChange,
  RunChange,
  SettingsChange,
  TaskChange,
  WorktreeChange,
} from '../schema/event.ts';
import { GateKind, GateMaterial, HumanGate } from '../schema/gate.ts';
import {
  AmendInput,
  EndingPolicy,
  Holds,
  Notification,
  NotificationKind,
  Outcome,
  Policy,
  ResolveInput,
  Response,
  ResponseInput,
  ResumeRecipe,
  Source,
  Status,
} from '../schema/notification.ts';
import { PhaseRecordKind } from '../schema/phase-record.ts';
import { PlanRunResult, TaskProgress } from '../schema/plan-run.ts';
import { PlanSummary, PlanView } from '../schema/plan-view.ts';
import { Project } from '../schema/project.ts';
import { Answer, Category, EarlierDecision, Option, Question, Verbatim } from '../schema/question.ts';
import { Purpose, Run, RunData, RunEnding, RunJudgement, RunStatus, RunStep, Usage } from '../schema/run.ts';
import { ChatMessage, TaskKind, TaskStatus } from '../schema/task.ts';
import { Feedback, NewWork, StartInput, Worker } from '../schema/work.ts';
import { WorktreeState } from '../schema/worktree.ts';
import { AddedNotification } from './routes/notifications.ts';
import { TaskView } from './routes/task-holder.ts';
import { TaskPatch } from './routes/task-patch.ts';

/** In requests and responses. Only a schema that means the same in both may be here. */
const shared = () => ({
  ...{ Answer, AutonomyLevel, GateKind, GateMaterial, HumanGate, Policy, ResumeRecipe, Role, Source },
  ...{ TaskKind, TaskStatus },
});

/** In requests. */
const sent = () => ({
  ...shared(),
  ...{ AmendInput, AutonomyPreset, ResolveInput, ResponseInput, RunStep, TaskPatch, TokenInput },
  ...{ NewWork, StartInput },
});

/** In responses. */
const returned = () => ({
  ...shared(),
  Error: ErrorBody,
  Task: TaskView,
  ...{ Actor, By, Channel, Identity, Token },
  ...{ AddedNotification, EndingPolicy, Holds, Notification, NotificationKind, Outcome, Response, Status },
  ...{ Category, EarlierDecision, Option, Question, Verbatim },
  ...{ Event, NotificationChange, RunChange, SettingsChange, TaskChange, WorktreeChange },
  ...{ Purpose, Run, RunData, RunEnding, RunJudgement, RunStatus, Usage },
  ...{ PhaseRecordKind, PlanRunResult, PlanSummary, PlanView, TaskProgress },
  ...{ ChatMessage, Decision, Feedback, HilConfig, Project, WorktreeState },
  Worker,
});

/** Converts the schemas of all requests (`input`) or responses, with references to the named ones. */
export function jsonSchemas(io: 'input' | 'output', schemas: z.ZodType[]) {
  const registry = z.registry<{ id: string }>();
  const named = io === 'input' ? sent() : returned();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  registry.add(z.object(Object.fromEntries(schemas.entries())), { id: 'all' });
  const uri = (id: string) => `#/components/schemas/${id}`;
  const converted = z.toJSONSchema(registry, { io, uri, unrepresentable: 'any' }).schemas;
  const { all, ...components } = Object.fromEntries(
    Object.entries(converted).map(([id, { $schema, $id, ...schema }]) => [id, schema]),
  );
  return { components, of: (schema: z.ZodType) => all?.properties?.[schemas.indexOf(schema)] };
}
