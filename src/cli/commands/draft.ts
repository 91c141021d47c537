import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Conducted, type Conducting, resumeRun, startRun } from '../../agents/conduct.ts';
import type { AgentEvent, Usage } from '../../agents/driver.ts';
import { isDeadHolder } from '../../agents/lease.ts';
import { toolSummary } from '../../agents/stream/tool-summary.ts';
import { attend } from '../../channels/attend.ts';
import { printable } from '../../channels/printable.ts';
import { parseDuration } from '../../config/duration.ts';
import { draftedPlan } from '../../planning/draft/drafted-plan.ts';
import { draftPrompt } from '../../planning/draft/prompt.ts';
import { assessVagueness } from '../../planning/draft/vagueness.ts';
import { refuseUsedFolder, slug, writePlanFolder } from '../../planning/plan-folder.ts';
import { detectStack } from '../../planning/repository/stack.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Run } from '../../schema/run.ts';
import { type AgentOptions, chooseAgent, withAgentOptions } from '../agents/choose.ts';
import { persist } from '../agents/persist.ts';
import type { CommonOptions } from '../command.ts';
import { exit } from '../exit.ts';
import { print, printJson, tell } from '../output.ts';
import { type Session, withSession } from '../session.ts';

interface DraftOptions extends CommonOptions, AgentOptions {
  adaptive?: true;
  output?: string;
  resume?: string | true;
  timeout: string;
  parkAfter: string;
  prompt: boolean;
}

/** What a run keeps in the ledger, so that any process can go on with it. */
interface DraftData {
  command: 'draft';
  idea: string;
  adaptive: boolean;
  output: string;
  agent: AgentOptions;
}

const MAX_ROUNDS = 5;

export function define(command: Command): void {
  withAgentOptions(command)
    .description(
      'Turn an idea into a plan of phases. With --adaptive the agent asks you what it must know; without, it assumes.',
    )
    .argument('[idea]', 'the idea: a text, a file, or - for stdin')
    .option('--adaptive', 'let the agent ask what a wrong guess would make expensive')
    .option('--output <dir>', 'where the plan goes (default: plans/NAME in the project)')
    .option(
      '--resume [run]',
      'go on with a draft that was interrupted or waited (the newest one where none is named)',
    )
    .option('--timeout <duration>', 'how long the agent may work', '30m')
    .option(
      '--park-after <duration>',
      'how long a question is held in the process before the agent is parked',
      '5m',
    )
    .option('--no-prompt', 'do not ask in this terminal, only wait for answers from elsewhere')
    .addHelpText(
      'after',
      `
Examples:
  fermata draft "Add a log-in page for customers" --adaptive
  fermata draft idea.md --agent codex --output plans/login
  fermata draft --resume

A question can be answered here or on any other channel (fermata inbox, fermata answer).
Exit codes: 0 written, 1 stopped or unusable answer, 3 waits for an answer, 4 the agent could not be run, 130 interrupted.`,
    )
    .action(async (idea: string | undefined, options: DraftOptions) => {
      await withSession(options, (session) => draft(session, idea, options));
    });
}

async function draft(session: Session, idea: string | undefined, options: DraftOptions): Promise<void> {
  const project = await session.project();
  const run = options.resume ? await findRun(session, project.id, options.resume) : undefined;
  const data = run ? (run.data as unknown as DraftData) : newDraft(session, idea, options);
  refuseUsedFolder(data.output);
  const { driver, setup } = await chooseAgent(data.agent, {
    cwd: run?.cwd ?? process.cwd(),
    mustAsk: data.adaptive,
    timeoutMs: parseDuration(options.timeout, '--timeout') * 1000,
    parkAfterMs: parseDuration(options.parkAfter, '--park-after') * 1000,
  });
  const stop = new AbortController();
  const conducting: Conducting = {
    ledger: session.ledger,
    driver,
    setup,
    questions: data.adaptive ? 'ask' : 'assume',
    maxRounds: MAX_ROUNDS,
    allows: (tool) => readOnly.has(tool),
    signal: stop.signal,
    onEvent: (event) => follow(event, options),
  };
  const begin = async () => {
    if (run) return resumeRun(conducting, project.id, run.id);
    const prompt = promptOf(data, setup.cwd);
    const sourceId = slug(data.idea);
    return startRun(conducting, {
      projectId: project.id,
      source: 'plan',
      sourceId,
      prompt,
      data: { ...data },
    });
  };
  const { last, usage } = await interruptible(session, project.id, conducting, stop, options, async () =>
    persist(conducting, await begin()),
  );
  await finish(session, last, data, usage, options, stop.signal.aborted);
}

/** Tools that change nothing are allowed without asking: an agent that drafts has to look around. */
const readOnly = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'TodoWrite', 'WebSearch']);

function newDraft(session: Session, idea: string | undefined, options: DraftOptions): DraftData {
  const text = readIdea(idea);
  const { agent, agentCommand, model } = options;
  return {
    command: 'draft',
    idea: text,
    adaptive: options.adaptive ?? false,
    output: resolve(options.output ?? join(session.settings.project.value.root, 'plans', slug(text))),
    agent: { agent, ...(agentCommand ? { agentCommand } : {}), ...(model ? { model } : {}) },
  };
}

function readIdea(idea: string | undefined): string {
  if (idea === undefined || idea.trim() === '') {
    throw new FermataError('invalid', 'What is the idea? Give it as a text, a file, or - for stdin.');
  }
  const text =
    idea === '-'
      ? readFileSync(0, 'utf8')
      : idea.length < 500 && existsSync(idea)
        ? readFileSync(idea, 'utf8')
        : idea;
  if (text.trim() === '') throw new FermataError('invalid', `${idea} is empty. Write down the idea first.`);
  if (text.length > 500_000)
    throw new FermataError('invalid', `The idea has ${text.length} characters; at most 500000 are allowed.`);
  return text;
}

function promptOf(data: DraftData, cwd: string): string {
  const vagueness = assessVagueness(data.idea);
  if (vagueness.vague && !data.adaptive) {
    tell(
      `The idea is vague (${vagueness.reasons.join('; ')}). With --adaptive the agent asks instead of assuming.`,
    );
  }
  return draftPrompt({ idea: data.idea, adaptive: data.adaptive, vagueness, stack: detectStack(cwd) });
}

async function findRun(session: Session, projectId: string, wanted: string | true): Promise<Run> {
  if (typeof wanted === 'string') return session.ledger.runs.get(projectId, wanted);
  const runs = await session.ledger.runs.abandoned(projectId, isDeadHolder);
  const run = runs.findLast((each) => each.data.command === 'draft');
  if (!run)
    throw new FermataError(
      'not_found',
      'There is no draft to go on with here. Start one with: fermata draft IDEA',
    );
  return run;
}

/** Runs the agent while a person at this terminal is asked its questions; Ctrl-C stops it cleanly. */
async function interruptible<T>(
  session: Session,
  projectId: string,
  { ledger }: Conducting,
  stop: AbortController,
  options: DraftOptions,
  work: () => Promise<T>,
): Promise<T> {
  const interrupt = () => stop.abort('interrupted');
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const over = new AbortController();
  const signal = AbortSignal.any([stop.signal, over.signal]);
  const attended = options.prompt && process.stdin.isTTY && process.stderr.isTTY;
  const ours = (notification: Notification) => notification.resume?.run !== undefined;
  const io = { input: process.stdin, output: process.stderr };
  const attending = attended
    ? attend(ledger, projectId, ours, session.by('terminal'), io, signal)
    : sayHowToAnswer(session, projectId, signal);
  try {
    void attending.then((interrupted) => interrupted && stop.abort('interrupted'));
    return await work();
  } finally {
    over.abort();
    await attending;
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Without a terminal, each question is named with how to answer it. */
async function sayHowToAnswer(session: Session, projectId: string, signal: AbortSignal): Promise<false> {
  const { ledger } = session;
  const { lastEvent } = await ledger.projects.get(projectId);
  for await (const { type, data } of ledger.events.watch(projectId, lastEvent, signal)) {
    if (type !== 'notification.added') continue;
    const { id, questions } = data.notification as Notification;
    tell(
      `The agent asks: ${questions.map((q) => printable(q.text)).join(' / ')}\n  fermata answer ${id} VALUE`,
    );
  }
  return false;
}

function follow(event: AgentEvent, options: DraftOptions): void {
  if (options.format === 'json' || !process.stderr.isTTY) return;
  if (event.kind === 'tool') tell(`  ${printable(toolSummary(event.name, event.input))}`);
}

async function finish(
  session: Session,
  conducted: Conducted,
  data: DraftData,
  usage: Usage,
  options: DraftOptions,
  interrupted: boolean,
): Promise<void> {
  const { run, end } = conducted;
  if (interrupted || conducted.waiting.length > 0) {
    tell(`Interrupted. Nothing is lost: "fermata draft --resume ${run.id}" goes on.`);
    process.exitCode = exit.interrupted;
    return;
  }
  const asked = await session.ledger.runs.questions(run.projectId, run.id);
  if (end.reason !== 'ok') {
    const kept = keepAnswer(session, run, end.text);
    tell(`fermata: ${end.message}${kept ? ` What there is is kept in ${kept}.` : ''}`);
    if (options.format === 'json')
      await printJson({ error: { code: end.reason, message: end.message }, run: run.id, kept });
    process.exitCode =
      end.reason === 'too_many_rounds' || end.reason === 'interrupted' ? exit.failed : exit.agent;
    return;
  }
  const plan = draftedPlan(end.text, data.adaptive ? [] : asked);
  if ('problem' in plan) {
    const kept = keepAnswer(session, run, end.text);
    throw new FermataError(
      'invalid',
      `The agent's answer is no plan: ${plan.problem} It is kept in ${kept}.`,
    );
  }
  writePlanFolder(data.output, plan.files);
  const files = plan.files.map((file) => file.name);
  const rounds = asked.filter((notification) => notification.source !== 'approval').length;
  const { inputTokens, outputTokens } = usage;
  if (options.format === 'json') {
    await printJson({
      run: run.id,
      output: data.output,
      files,
      audited: false,
      rounds,
      usage,
      problems: plan.problems,
    });
    return;
  }
  await print(`${data.output}\n${files.map((name) => `  ${name}`).join('\n')}`);
  for (const problem of plan.problems) tell(`Left out: ${problem.message}`);
  tell(
    `Written, not audited yet. ${rounds} round(s) of questions; ${inputTokens} tokens in, ${outputTokens} out.`,
  );
}

/** An answer that is no plan is still somebody's work. */
function keepAnswer(session: Session, run: Run, text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const folder = join(session.settings.home.value, 'projects', run.projectId, 'drafts');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${run.id}.md`);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}
