import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtOnce } from '../../files/write-at-once.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import { autonomySentences } from '../../schema/autonomy-words.ts';
import type { Task } from '../../schema/task.ts';

/** The folder of a task in the project's storage, which is outside every checkout, so it is never committed. */
export function taskFolder(storage: string, taskId: string): string {
  const plain = taskId.replace(/[^\w-]+/g, '-').slice(0, 80);
  const mark = createHash('sha256').update(taskId).digest('hex').slice(0, 8);
  return join(storage, 'tasks', plain === taskId ? plain : `${plain}-${mark}`);
}

/** Writes `config.json` into a task's folder, with what an agent that works on it has to know. Returns its path. */
export function writeTaskConfig(
  storage: string,
  task: Pick<Task, 'id' | 'title'>,
  hilConfig: HilConfig,
): string {
  const folder = taskFolder(storage, task.id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { scopeChanges, architectureDecisions, dependencyModifications } = hilConfig;
  const config = {
    taskId: task.id,
    title: task.title,
    hilConfig,
    autonomy: {
      scopeChanges: autonomySentences[scopeChanges],
      architectureDecisions: autonomySentences[architectureDecisions],
      dependencyModifications: autonomySentences[dependencyModifications],
    },
  };
  const path = join(folder, 'config.json');
  // Atomic, because an agent may be reading it.
  writeAtOnce(path, `${JSON.stringify(config, null, 2)}\n`, 0o600);
  return path;
}
