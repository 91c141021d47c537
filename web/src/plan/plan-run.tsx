import type { TaskProgress } from '../../../src/schema/plan-run.ts';
import type { PlanView } from '../../../src/schema/plan-view.ts';
import { hub } from '../api/hub.ts';
import { WorkBar } from '../work/work-bar.tsx';
import { workersState } from '../work/workers-choice.tsx';

interface Props {
  project: string;
  plan: string;
  view: PlanView;
  onChange(): void;
}

/** Runs a plan with the hub's agents. */
export function PlanRun({ project, plan, view: { phases, audit, work }, onChange }: Props) {
  const isKnown = audit !== null || phases.length > 0;
  const isDone = isKnown && phases.every(({ status }) => status === 'completed');
  if (isDone && !work.running) return null;
  const isBegun = work.result !== null || phases.some(({ status }) => status !== 'pending');
  return (
    <WorkBar
      verb="Run this plan"
      work={work}
      again={isBegun ? 'Resume' : undefined}
      start={(as) => hub.startPlan(project, plan, as)}
      pause={() => hub.pausePlan(project, plan)}
      onChange={onChange}
    >
      {workersState(work) ?? stateOf(work)}
    </WorkBar>
  );
}

function stateOf({ running, result }: TaskProgress): string {
  if (running) return 'Agents are working on it. Their questions come to your inbox.';
  switch (result) {
    case 'interrupted':
      return 'Paused. The sessions are kept; Resume continues them.';
    case 'failed':
      return 'Stopped, because a phase failed. The board says why.';
    case 'waiting':
      return 'Waiting for your answers in the inbox.';
    case 'done':
    case null:
      return 'Not running. Agents work on its phases, each in its own worktree.';
    default:
      return result satisfies never;
  }
}
