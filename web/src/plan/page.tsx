import { hub } from '../api/hub.ts';
import type { AuditIssue, PlanDocument, PlanPhase } from '../api/shapes.ts';
import { Graph, type ShownNode } from '../board/graph.tsx';
import { hrefOf } from '../route.ts';
import { currentProject } from '../state/current-project.ts';
import { useLive } from '../state/use-live.ts';
import { Command, Empty } from '../ui/empty.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Excerpt } from './excerpt.tsx';

export function PlansPage() {
  const project = currentProject.value;
  const plans = useLive(project?.id, 'plans', hub.plans, ['task.updated']);
  return (
    <main class="page" id="main">
      <h1>Plans</h1>
      <LoadedView value={plans.value}>
        {(rows) =>
          rows.length === 0 ? (
            <NoPlans />
          ) : (
            <ul class="rows">
              {rows.map(({ name, title, phases, completed }) => (
                <li key={name}>
                  <a href={hrefOf('plan', project?.id ?? '', name)}>
                    <strong>{title ?? name}</strong>
                    <span>{name}</span>
                    {phases !== undefined && (
                      <span class="number">
                        {completed ?? 0} of {phases} phases
                      </span>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </LoadedView>
    </main>
  );
}

export function PlanPage({ project, plan }: { project: string; plan: string }) {
  const found = useLive(project, plan, (id) => hub.plan(id, plan), ['task.updated']);
  return (
    <main class="page plan" id="main">
      <p class="crumbs">
        <a href={hrefOf('plans', project)}>Plans</a> › {plan}
      </p>
      <LoadedView value={found.value}>{(document) => <PlanView document={document} />}</LoadedView>
    </main>
  );
}

function PlanView({ document }: { document: PlanDocument }) {
  const issues = document.audit?.issues ?? document.issues ?? [];
  const done = document.phases.filter(({ status }) => status === 'completed').length;
  return (
    <>
      <h1>{document.title}</h1>
      <p class="facts">
        <span>
          {done} of {document.phases.length} phases completed
        </span>
        <AuditWord issues={issues} />
      </p>
      <Graph label="Phases and what they wait for" nodes={document.phases.map(phaseNode)} />
      {issues.length > 0 && <Issues issues={issues} files={document.files ?? {}} />}
      <ol class="phases">
        {document.phases.map((phase) => (
          <Phase key={phase.id} phase={phase} />
        ))}
      </ol>
    </>
  );
}

function AuditWord({ issues }: { issues: readonly AuditIssue[] }) {
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  const warnings = issues.length - errors;
  if (issues.length === 0) return <span>The audit passed.</span>;
  return (
    <span
      class={errors > 0 ? 'problem' : ''}
    >{`The audit found ${errors} errors and ${warnings} warnings.`}</span>
  );
}

function phaseNode({ id, title, status, depends_on }: PlanPhase): ShownNode {
  const states: Record<string, ShownNode['state']> = {
    running: 'running',
    validating: 'running',
    completed: 'done',
    failed: 'failed',
    blocked: 'held',
    awaiting_human: 'held',
  };
  return {
    id,
    dependsOn: depends_on,
    title: `${id} ${title}`,
    detail: status.replace('_', ' '),
    state: states[status] ?? 'waiting',
  };
}

function Issues({ issues, files }: { issues: readonly AuditIssue[]; files: Record<string, string> }) {
  return (
    <section class="issues" aria-label="What the audit found">
      <h2>What the audit found</h2>
      <ul>
        {issues.map((issue, index) => (
          <li key={index} class={issue.severity}>
            <p class="issue-message">
              <strong>{issue.severity}</strong> {issue.message} <code>{issue.code}</code>
            </p>
            <Excerpt issue={issue} text={files[issue.file]} />
            <p class="issue-suggestion">{issue.suggestion}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Phase({ phase }: { phase: PlanPhase }) {
  const done = phase.tasks.filter((task) => task.done).length;
  return (
    <li class="phase">
      <details>
        <summary>
          <span class="phase-id">{phase.id}</span>
          <span class="phase-title">{phase.title}</span>
          <span class="number">
            {done}/{phase.tasks.length} tasks
          </span>
          <span class="phase-status">{phase.status.replace('_', ' ')}</span>
        </summary>
        <div class="phase-body">
          <p class="faint">{phase.path}</p>
          {phase.criteria.length > 0 && (
            <ul>
              {phase.criteria.map(({ id, text }, index) => (
                <li key={index}>
                  {id && <code>{id}</code>} {text}
                </li>
              ))}
            </ul>
          )}
          <ul class="checks">
            {phase.tasks.map(({ text, done }, index) => (
              <li key={index}>{`${done ? '☑' : '☐'} ${text}`}</li>
            ))}
          </ul>
          {phase.gates.map(({ name, command }) => (
            <p key={name} class="gate-command">
              {name} {command && <code>{command}</code>}
            </p>
          ))}
        </div>
      </details>
    </li>
  );
}

function NoPlans() {
  return (
    <Empty title="No plans yet">
      <p>
        From an idea: <Command>fermata draft "Reminders by mail"</Command>
      </p>
      <p>
        From your issues: <Command>fermata plan-from-issues</Command>
      </p>
    </Empty>
  );
}
