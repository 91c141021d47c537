import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { realPath } from '../files/real-path.ts';
import { answerVariables, type Filling, fill } from './questions.ts';
import type { ToolStep } from './scenario.ts';

/** The result of a tool, as the model gets it. */
export interface ToolRun {
  text: string;
  isError: boolean;
  detail: unknown;
}

type WorkStep = Exclude<ToolStep, { do: 'ask' }>;

/** The tool and input under which a step is shown. */
export function shownCall(
  step: WorkStep,
  filling: Filling,
  cwd: string,
): { tool: string; input: Record<string, unknown> } {
  switch (step.do) {
    case 'use':
      return { tool: step.tool, input: step.input };
    case 'write':
      return {
        tool: 'Write',
        input: { file_path: resolve(cwd, step.path), content: fill(step.content, filling) },
      };
    case 'edit':
      return {
        tool: 'Edit',
        input: {
          file_path: resolve(cwd, step.path),
          old_string: step.replace,
          new_string: fill(step.with, filling),
        },
      };
    case 'run':
      return { tool: 'Bash', input: { command: step.command, description: 'scripted' } };
    default: {
      const never: never = step;
      return never;
    }
  }
}

/** Really does what the step says, inside `cwd`. */
export async function runTool(step: WorkStep, filling: Filling, cwd: string): Promise<ToolRun> {
  try {
    switch (step.do) {
      case 'use':
        return done(fill(step.result ?? '', filling));
      case 'write':
        return write(inside(step.path, cwd), fill(step.content, filling));
      case 'edit':
        return edit(inside(step.path, cwd), step.replace, fill(step.with, filling));
      case 'run':
        return await shell(step.command, answerVariables(filling.given), cwd);
      default: {
        const never: never = step;
        return never;
      }
    }
  } catch (error) {
    return refused((error as Error).message);
  }
}

function write(file: string, content: string): ToolRun {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return done(`File created successfully at: ${file}`);
}

function edit(file: string, replace: string, by: string): ToolRun {
  const before = readFileSync(file, 'utf8');
  if (!before.includes(replace)) return refused(`String to replace not found in file.\nString: ${replace}`);
  writeFileSync(
    file,
    before.replace(replace, () => by),
  );
  return done(`The file ${file} has been updated.`);
}

async function shell(command: string, answers: Record<string, string>, cwd: string): Promise<ToolRun> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      cwd,
      env: { ...process.env, ...answers },
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
    child.on('error', (error) => resolve(refused(error.message)));
    child.on('close', (code) => {
      const printed = [stdout, stderr]
        .filter((text) => text !== '')
        .join('\n')
        .trimEnd();
      const text =
        code === 0 ? printed || '(Bash completed with no output)' : `Exit code ${code}\n${printed}`;
      resolve({ text, isError: code !== 0, detail: { stdout, stderr, interrupted: false, isImage: false } });
    });
  });
}

/** The real path, which must be inside `cwd` even after following links. */
function inside(path: string, cwd: string): string {
  const root = realPath(cwd);
  const real = realOf(resolve(root, path));
  const way = relative(root, real);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way)
    throw new Error(`${path} is outside ${root}. A scripted agent can only use files in its own folder.`);
  return real;
}

/** Like `realpath`, for a file that need not exist yet. */
function realOf(path: string): string {
  if (existsSync(path)) return realPath(path);
  const parent = dirname(path);
  return parent === path ? path : join(realOf(parent), basename(path));
}

const done = (text: string): ToolRun => ({ text, isError: false, detail: text });
const refused = (text: string): ToolRun => ({
  text: `<tool_use_error>${text}</tool_use_error>`,
  isError: true,
  detail: `Error: ${text}`,
});
