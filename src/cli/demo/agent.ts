import { spawn } from 'node:child_process';
import type { Answer } from '../../schema/question.ts';
import type { ScenarioTask } from './scenario.ts';

/** A process of this very program, as an agent or a second person would start it. */
export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

export function runFermata(
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Run> {
  const launcher = process.argv[1] ?? '';
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd,
    env,
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    // One that we end is waited for: it may still be writing.
    child.on('error', (error) => error.name === 'AbortError' || reject(error));
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}

/** The arguments with which the scripted agent asks. */
export function askArguments(taskId: string, task: ScenarioTask): string[] {
  const { question } = task;
  if (!question) return [];
  const options = (question.options ?? []).flatMap(({ label, description }) => [
    '--option',
    description ? `${label}: ${description}` : label,
  ]);
  return [
    'ask',
    question.text,
    '--task',
    taskId,
    '--no-prompt',
    ...options,
    ...(question.context ? ['--context', question.context] : []),
    ...(question.recommended ? ['--recommend', question.recommended] : []),
  ];
}

export const answerText = (answer: Answer) => [answer].flat().join(',');
