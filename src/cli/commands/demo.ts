import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { createColors } from 'picocolors';
import { printable } from '../../channels/printable.ts';
import { answerInTerminal } from '../../channels/terminal.ts';
import { loadSettings } from '../../config/settings.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import { makeFolder } from '../../ledger/store/make-folder.ts';
import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Task } from '../../schema/task.ts';
import { answerText, askArguments, runFermata } from '../demo/agent.ts';
import { readScenario, type Scenario, type ScenarioTask, sampleScenario } from '../demo/scenario.ts';
import { summarize } from '../demo/summary.ts';
import { exit } from '../exit.ts';
import { print, printJson, tell } from '../output.ts';
import { currentActor } from '../session.ts';

const pc = createColors(process.stdout.isTTY && !process.env.NO_COLOR);

interface DemoOptions {
  headless?: true;
  scenario?: string;
  folder?: string;
  format: 'text' | 'json';
}

/** One play of the demo: a sample project with a ledger of its own, so that your inbox stays yours. */
interface Stage {
  ledger: Ledger;
  projectId: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  stop(): void;
  say(line: string): void;
}

const agent: By = { actor: { kind: 'agent', name: 'scripted agent' }, channel: 'agent' };

export function define(command: Command): void {
  command
    .description(
      'See it at work: scripted agents start on a sample project, hold where they are unsure, and go on with your answers.',
    )
    .option('--headless', 'answer by script instead of by you')
    .option('--scenario <file>', 'play another scenario (JSON: project, tasks with question and answer)')
    .option(
      '--folder <dir>',
      'where to make the sample project; it is kept (default: a temporary one, removed at the end)',
    )
    .addHelpText('after', '\nExamples:\n  fermata demo\n  fermata demo --headless --folder ./demo')
    .action(async (options: DemoOptions) => {
      const scenario = options.scenario ? readScenario(options.scenario) : sampleScenario;
      if (!options.headless && !(process.stdin.isTTY && process.stderr.isTTY)) {
        tell(
          'fermata: The demo asks you two questions, but there is no terminal here. Run it in one, or with --headless.',
        );
        process.exitCode = exit.waiting;
        return;
      }
      await play(scenario, options);
    });
}

async function play(scenario: Scenario, options: DemoOptions): Promise<void> {
  const folder = options.folder ? resolve(options.folder) : mkdtempSync(join(tmpdir(), 'fermata-demo-'));
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt).once('SIGHUP', interrupt);
  const stage = await openStage(folder, scenario, options, stop);
  try {
    await run(stage, scenario, options);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    tell('Interrupted; the demo ends here.');
    process.exitCode = exit.interrupted;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt).off('SIGHUP', interrupt);
    stop.abort();
    await stage.ledger.close();
    if (!options.folder) rmSync(folder, { recursive: true, force: true });
  }
}

async function run(stage: Stage, scenario: Scenario, options: DemoOptions): Promise<void> {
  const tasks = await addTasks(stage, scenario);
  const working = Promise.all(
    scenario.tasks.map((play, index) => runTask(stage, tasks[index] as Task, play)),
  );
  const asking = scenario.tasks.filter((task) => task.question).length;
  const answering = answerAll(stage, scenario, asking, options.headless ?? false);
  const interrupted = await Promise.race([answering, working.then(() => answering)]);
  if (interrupted) {
    stage.stop();
    await working.catch(() => undefined);
    tell('Interrupted; the demo ends here.');
    process.exitCode = exit.interrupted;
    return;
  }
  await working;
  await tellEnd(stage, options);
}

async function openStage(
  folder: string,
  scenario: Scenario,
  options: DemoOptions,
  stop: AbortController,
): Promise<Stage> {
  const cwd = join(folder, 'project');
  makeFolder(cwd);
  writeFileSync(
    join(cwd, 'fermata.config.json'),
    `${JSON.stringify({ project: scenario.project }, null, 2)}\n`,
  );
  const env = { ...process.env, FERMATA_HOME: join(folder, 'home'), FERMATA_STORE: '', FERMATA_PROJECT: '' };
  const { store, project } = loadSettings(cwd, env);
  const ledger = await openLedger(store.value);
  await ledger.projects.ensure(project.value);
  const say =
    options.format === 'json' ? () => undefined : (line: string) => void process.stdout.write(`${line}\n`);
  say(`Sample project ${pc.bold(printable(scenario.project))} in ${cwd}, with a ledger of its own.`);
  return {
    ledger,
    projectId: project.value.id,
    cwd,
    env,
    signal: stop.signal,
    stop: () => stop.abort(),
    say,
  };
}

async function addTasks({ ledger, projectId }: Stage, scenario: Scenario): Promise<Task[]> {
  const by: By = { actor: currentActor(), channel: 'command' };
  const tasks: Task[] = [];
  for (const { title } of scenario.tasks) tasks.push(await ledger.tasks.add({ projectId, title }, by));
  return tasks;
}

/** A scripted agent takes the task, asks in a process of its own where it has to, and finishes with the answer. */
async function runTask(stage: Stage, task: Task, { question }: ScenarioTask): Promise<void> {
  const { ledger, projectId, say } = stage;
  await claim(stage, task);
  if (!question) {
    await ledger.tasks.close(projectId, task.id, agent);
    say(`${pc.green('✓')} ${printable(task.title)}: done, nothing to ask`);
    return;
  }
  say(`${pc.yellow('…')} ${printable(task.title)}: holds, it has a question`);
  const asked = await runFermata(
    askArguments(task.id, { title: task.title, question }),
    stage.cwd,
    stage.env,
    stage.signal,
  );
  if (asked.code !== 0)
    throw new FermataError('unavailable', `The scripted agent could not ask: ${asked.stderr.trim()}`);
  await claim(stage, task);
  writeFileSync(join(stage.cwd, `${task.id}.txt`), `${question.text}\n${asked.stdout}`);
  await ledger.tasks.close(projectId, task.id, agent);
  say(`${pc.green('✓')} ${printable(task.title)}: goes on with "${printable(asked.stdout.trim())}", done`);
}

function claim({ ledger, projectId }: Stage, task: Task): Promise<Task> {
  return ledger.tasks.claim(projectId, task.id, { worker: 'scripted agent', leaseSeconds: 300 }, agent);
}

/** True when the person broke it off. */
async function answerAll(
  stage: Stage,
  scenario: Scenario,
  expected: number,
  headless: boolean,
): Promise<boolean> {
  const open = await untilAsked(stage, expected);
  if (stage.signal.aborted) return true;
  if (headless) {
    for (const notification of open) await answerByScript(stage, scenario, notification);
    return stage.signal.aborted;
  }
  stage.say(
    `\n${open.length} agent(s) wait for you. You could also answer from another terminal:\n  FERMATA_HOME=${stage.env.FERMATA_HOME} fermata answer --all`,
  );
  const io = { input: process.stdin, output: process.stderr };
  const by: By = { actor: currentActor(), channel: 'terminal' };
  const result = await answerInTerminal(stage.ledger, open, by, io, stage.signal);
  return result.interrupted || stage.signal.aborted;
}

async function untilAsked({ ledger, projectId, signal }: Stage, expected: number): Promise<Notification[]> {
  if (expected === 0) return [];
  for await (const event of ledger.events.watch(projectId, 0, signal)) {
    if (event.type !== 'notification.added') continue;
    const { notifications } = await ledger.notifications.list({ projectId });
    if (notifications.length >= expected) return notifications;
  }
  return [];
}

/** A second process answers, as a person in another terminal would. */
async function answerByScript(stage: Stage, scenario: Scenario, notification: Notification): Promise<void> {
  const [question] = notification.questions;
  const answer = scenario.tasks.find((task) => task.question?.text === question?.text)?.answer ?? 'skip';
  const run = await runFermata(
    ['answer', notification.id, answerText(answer)],
    stage.cwd,
    stage.env,
    stage.signal,
  );
  if (run.code !== 0)
    throw new FermataError('unavailable', `The second process could not answer: ${run.stderr.trim()}`);
}

async function tellEnd({ ledger, projectId, cwd, say }: Stage, options: DemoOptions): Promise<void> {
  const events = await ledger.events.list(projectId, 0, 10_000);
  if (options.format === 'json') {
    await printJson({ project: projectId, folder: cwd, events });
    return;
  }
  await print(['', pc.bold('What the ledger has on record'), ...summarize(events)].join('\n'));
  say(`\nNext: ask a question of your own with ${pc.bold('fermata ask "Which colour?" -o red -o blue')}`);
}
