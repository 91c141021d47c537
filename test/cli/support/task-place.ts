import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notification } from '../../../src/schema/notification.ts';
import type { AgentScenarioInput, Step } from '../../../src/testing/scenario.ts';
import { fermata, freshFolder, type Options } from '../../support/fermata.ts';
import { commit, initRepository, sh } from '../../work/support/repository.ts';

const DONE: Step = { do: 'say', text: '{"status":"success","summary":"The greeting is there."}' };

/** What the agent does in each session from the beginning. */
export const doing = (...steps: Step[]): AgentScenarioInput => ({
  counts: 'session',
  invocations: [{ steps: [...steps, DONE] }],
});

export const write = (path: string, content: string): Step => ({ do: 'write', path, content });

export interface TaskPlace {
  cwd: string;
  at: Options;
  cli(...args: string[]): ReturnType<typeof fermata>;
  /** `tasks work` of a task, as JSON. */
  work(id: string, ...args: string[]): ReturnType<typeof fermata>;
  inbox(): Promise<Notification[]>;
  task(id: string): Promise<{ status: string; blockReason: string | null }>;
  git(...args: string[]): string;
  /** Gives the agent something else to do from now on. */
  plays(scenario: AgentScenarioInput): void;
}

/** A repository on `main` with a check, and a scripted agent. */
export function taskPlace(
  scenario: AgentScenarioInput,
  { checks = ['test ! -e broken'], env = {} }: { checks?: string[]; env?: Record<string, string> } = {},
): TaskPlace {
  const cwd = freshFolder('shop');
  const file = join(cwd, '..', 'scenario.json');
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'README.md'), '# Shop\n');
  if (checks.length > 0) writeFileSync(join(cwd, 'fermata.config.json'), JSON.stringify({ checks }));
  initRepository(cwd, 'main', true);
  commit(cwd, 'A shop');
  const at = {
    cwd,
    limitMs: 240_000,
    env: { FERMATA_HOME: join(cwd, '..', 'home'), FAKE_CLAUDE_CONFIG: file, ...env },
  };
  const cli = (...args: string[]) => fermata(args, at);
  const plays = (next: AgentScenarioInput) => writeFileSync(file, JSON.stringify(next));
  plays(scenario);
  return {
    cwd,
    at,
    cli,
    plays,
    work: (id, ...args) => cli('tasks', 'work', id, '--agent', 'scripted', '--json', ...args),
    inbox: async () => JSON.parse((await cli('inbox', '--json')).stdout).notifications,
    task: async (id) => JSON.parse((await cli('tasks', 'show', id, '--json')).stdout).task,
    git: (...args) => sh(cwd, ...args),
  };
}
