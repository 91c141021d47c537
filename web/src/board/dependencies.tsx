import { hrefOf } from '../route.ts';
import { Graph, type ShownNode } from './graph.tsx';
import { nearest } from './nearest.ts';
import type { ShownTask } from './task-state.ts';

/** A larger graph is unreadable. */
const MAX_NODES = 120;
const MAX_AROUND = 40;
const STEPS_AROUND = 2;

/** Shows only unfinished tasks and their dependencies, because finished work far back says nothing about what comes next. */
export function Dependencies({ shown }: { shown: readonly ShownTask[] }) {
  if (shown.every(({ task }) => task.dependsOn.length === 0)) return null;
  const relevant = new Set(
    shown.flatMap(({ task }) => (task.status === 'closed' ? [] : [task.id, ...task.dependsOn])),
  );
  const nodes = shown.filter(({ task }) => relevant.size === 0 || relevant.has(task.id)).map(taskNode);
  const drawn = mostRelevant(nodes);
  return (
    <>
      <Graph label="Tasks and their dependencies" nodes={drawn} />
      {drawn.length < nodes.length && (
        <p class="graph-note">
          Showing {drawn.length} of {nodes.length} tasks: those closest to what is waiting for you or in
          progress. Open a task to see the tasks around it.
        </p>
      )}
    </>
  );
}

/** Tasks that wait for a person or are in progress, and their neighbours first; then others while there is room. */
function mostRelevant(nodes: readonly ShownNode[]): readonly ShownNode[] {
  if (nodes.length <= MAX_NODES) return nodes;
  const atWork = nodes.filter(({ state }) => state === 'held' || state === 'running');
  const near = nearest(
    nodes,
    atWork.map(({ id }) => id),
    MAX_NODES,
  );
  const others = nodes.filter((node) => !near.includes(node));
  const drawn = new Set([...near, ...others].slice(0, MAX_NODES));
  return nodes.filter((node) => drawn.has(node));
}

/** A task's dependencies and dependants, up to two steps away. */
export function Around({ task, shown }: { task: string; shown: readonly ShownTask[] }) {
  const nodes = nearest(shown.map(taskNode), [task], MAX_AROUND, STEPS_AROUND);
  if (nodes.length < 2) return null;
  return <Graph label="What this task depends on, and what depends on it" nodes={nodes} current={task} />;
}

function taskNode({ task, state, detail }: ShownTask): ShownNode {
  const { id, dependsOn, title, projectId } = task;
  return { id, dependsOn, title, detail, state, href: hrefOf('task', projectId, id) };
}
