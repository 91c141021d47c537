import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asked } from '../../support/asked.ts';
import { fermata, freshFolder, type Result, startFermata } from '../../support/fermata.ts';
import { commit, identity, initRepository, sh, write } from './repository.ts';

/** A line of the master's table and the text of its file. */
export interface PhaseText {
  id: string;
  front?: string;
  gates?: string;
  after?: string;
}

export interface PlanProject {
  /** The main checkout, on the feature branch `feat/shop`. */
  cwd: string;
  env: Record<string, string>;
}

/** What a plan command printed. */
export interface Told {
  code: number | null;
  status: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a command says is looked at field by field
  data: any;
  error?: { type: string; message: string; suggestion?: string };
}

/** A repository with a plan in it, and a home of its own. */
export function planProject(phases: PhaseText[], name = 'shop'): PlanProject {
  const cwd = realpathSync(freshFolder('my shop'));
  initRepository(cwd);
  write(cwd, planFiles(phases, name));
  commit(cwd, 'plan', { 'a.txt': 'one\n' });
  sh(cwd, 'switch', '-q', '-c', 'feat/shop');
  const home = join(cwd, '..', 'home');
  return { cwd, env: { FERMATA_HOME: home, FERMATA_USER: 'ann', ...identity } };
}

export function planFiles(phases: PhaseText[], name: string): Record<string, string> {
  const rows = phases.map(({ id }) => `| ${id} | [P${id}](phase-${id}.md) | f | Low | Pending |`);
  const head = '| Phase | Title | Focus | Risk | Status |\n|---|---|---|---|---|';
  const files = phases.map(({ id, front, gates = '- there: `test -f done.txt`', after }) => [
    `plans/${name}/phase-${id}.md`,
    [
      ...(front ? ['---', front, '---'] : []),
      `# Phase ${id}: P${id}\n\n**Status:** Pending`,
      ...(after ? [`**Depends On:** ${after}`] : []),
      `\n## Gates\n${gates}\n\n## Tasks\n- [ ] Do it\n\n## Acceptance Criteria\n- AC-1: done.txt is there\n`,
    ].join('\n'),
  ]);
  return {
    [`plans/${name}/MASTER_PLAN.md`]: `# Shop - Master Plan\n\n## Phases\n\n${head}\n${rows.join('\n')}\n`,
    ...Object.fromEntries(files),
  };
}

export function told({ code, stdout, stderr }: Result): Told {
  try {
    return { code, ...JSON.parse(stdout) };
  } catch (cause) {
    throw new Error(`It printed no JSON: ${JSON.stringify({ code, stdout, stderr })}`, { cause });
  }
}

/** Runs a plan command to its end. */
export async function call(at: PlanProject, ...args: string[]): Promise<Told> {
  return told(await fermata(args, at));
}

/** Starts one that waits for a person; `asked` is the notification that it waits for. */
export async function wait(at: PlanProject, ...args: string[]) {
  const running = startFermata(args, at);
  running.child.stdin?.end();
  const ended = running.ended.then(told);
  const asked = await Promise.race([
    openGate(at),
    ended.then((end) => Promise.reject(new Error(JSON.stringify(end)))),
  ]);
  return { running, ended, asked };
}

interface Asked {
  id: string;
  questions: { id: string }[];
  gate: { file: string; material?: { kind: string; variant?: string; text: string }[] };
}

/** The open gate, as soon as its file is there. */
export async function openGate(at: PlanProject): Promise<Asked> {
  const { id, questions, gate } = await asked(at, ({ source }) => source === 'gate');
  if (!gate) throw new Error(`The notification ${id} has no gate.`);
  while (read(gate.file) === undefined) await new Promise((resolve) => setTimeout(resolve, 30));
  return { id, questions, gate };
}

export function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // not there yet
  }
}

/** A worktree as an agent makes it by hand. */
export function makeWorktree(at: PlanProject, branch: string): PlanProject {
  const path = join(at.cwd, '..', branch.replaceAll('/', '-'));
  sh(at.cwd, 'worktree', 'add', '-q', '-b', branch, path);
  return { ...at, cwd: path };
}

/** A reviewer that gives one answer after the other, and then the last one again. */
export function reviewer(at: PlanProject, ...answers: string[]): string {
  const folder = join(at.cwd, '..', `reviewer-${answers.length}`);
  mkdirSync(folder, { recursive: true });
  answers.forEach((answer, index) => {
    writeFileSync(join(folder, `answer-${index + 1}`), answer);
  });
  const program = join(folder, 'reviewer.sh');
  writeFileSync(
    program,
    `#!/bin/sh
cd "$(dirname "$0")"; n=$(($(cat count 2>/dev/null || echo 0) + 1)); echo $n > count; cat > "prompt-$n"; cp "$FERMATA_TASK_DIR/config.json" .
[ -f "answer-$n" ] || n=${answers.length}
cat "answer-$n"
`,
  );
  chmodSync(program, 0o755);
  return program;
}
