import type { Ledger } from '../../ledger/ledger.ts';
import type { Consultation } from '../../schema/consultation.ts';
import { limits } from '../../schema/limits.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import type { Run } from '../../schema/run.ts';
import { resumeRun, startRun } from '../conduct.ts';
import { agentOf, type Conducted, type Conducting } from '../conducting.ts';
import type { RunEnd } from '../driver.ts';
import { freshQuestions } from './fresh-questions.ts';
import { isFromAnswer, nextStep, type Step } from './next-step.ts';
import { repairPrompt } from './repair-prompt.ts';
import { roles } from './role.ts';
import type { RoleAnswer } from './role-answer.ts';

export interface Consulting<T> {
  conducting: Conducting;
  consultation: Consultation;
  /** The prompt with everything that was asked and answered so far. */
  prompt(history: Notification[]): string;
  /** What the answer of a run says; the run tells what it rests on. */
  read(text: string, run: Run): RoleAnswer<T>;
  /** What is kept with each run about what its answer will rest on. */
  basis?: (() => Record<string, unknown>) | undefined;
  /** Whether this process stays while a person is asked; otherwise it ends, and another one goes on. */
  waits: boolean;
}

export type Consulted<T> =
  | { kind: 'answer'; value: T; run: Run }
  | { kind: 'waiting'; open: Notification[]; run: Run }
  /** The agent did not come to an end of its own. */
  | { kind: 'stopped'; end: RunEnd; run: Run }
  /** Its answer could not be used, nor could the one after it was told why. */
  | { kind: 'unreadable'; reason: string; text: string; run: Run };

/** So often may a role come back with questions. */
const MOST_ROUNDS = 5;

/**
 * Goes on with a consultation until there is an answer, or a person has to give one. Each step is told from the ledger, so
 * that after a crash nothing is asked twice and no agent works in vain.
 */
export async function consult<T>(consulting: Consulting<T>): Promise<Consulted<T>> {
  for (let isFirst = true; ; isFirst = false) {
    const { runs, asked } = await past(consulting);
    const step = nextStep(runs, asked);
    if (step.kind === 'waiting') {
      if (!consulting.waits || !(await allSettled(consulting, step.open))) return step;
      continue;
    }
    const answer =
      step.kind === 'read' ? checked(consulting.read(textOf(step.run), step.run), runs, asked) : undefined;
    if (step.kind === 'read' && answer) {
      const { run } = step;
      if (answer.kind === 'answer') return { ...answer, run };
      if (answer.kind === 'questions') {
        await ask(consulting, run, answer.questions);
        continue;
      }
      if (run.data.repair && !isFirst) return { ...answer, text: textOf(run), run };
    }
    const conducted = await work(consulting, step, asked, answer);
    if (isBrokenOff(conducted)) return { kind: 'stopped', end: conducted.end, run: conducted.run };
    if (conducted.end.reason === 'ok') await markDelivered(consulting, asked);
  }
}

/** Without an answer, and without a question that somebody could answer: started over it would only end like this again. */
function isBrokenOff({ end, waiting }: Conducted): boolean {
  return end.reason !== 'ok' && end.reason !== 'parked' && !waiting.some(({ status }) => status === 'open');
}

const textOf = (run: Run) => String(run.end?.text ?? '');

/** Lets an agent work: the one that waited, a new one, or a new one that is told what was wrong with the last answer. */
function work<T>(
  consulting: Consulting<T>,
  step: Exclude<Step, { kind: 'waiting' }>,
  asked: Notification[],
  answer: RoleAnswer<T> | undefined,
): Promise<Conducted> {
  const { conducting, consultation } = consulting;
  const { id, projectId, role, subject } = consultation;
  if (step.kind === 'resume') return resumeRun(conducting, projectId, step.run.id);
  const first = consulting.prompt(asked);
  const isRepair = step.kind === 'read' && answer?.kind === 'unreadable' && !step.run.data.repair;
  const prompt = isRepair ? repairPrompt(first, textOf(step.run), answer.reason) : first;
  const data = { ...consulting.basis?.(), consultation: id, ...(isRepair ? { repair: true } : {}) };
  return startRun(conducting, { projectId, source: roles[role], sourceId: subject, prompt, data });
}

/** The agent that has ended since was given all that was settled before it began. */
async function markDelivered({ conducting }: Consulting<unknown>, asked: Notification[]): Promise<void> {
  const { ledger, driver } = conducting;
  for (const { projectId, id, status } of asked) {
    if (status !== 'delivered') await ledger.notifications.markDelivered(projectId, id, agentOf(driver));
  }
}

/** The runs of a consultation, newest first. */
export async function runsOf(ledger: Ledger, { id, projectId, role, subject }: Consultation): Promise<Run[]> {
  const all = await ledger.runs.of(projectId, roles[role], subject);
  return all.filter(({ data }) => data.consultation === id);
}

/** Its runs, and what they asked, oldest first. */
async function past({ conducting: { ledger }, consultation }: Consulting<unknown>) {
  const { projectId, role, subject } = consultation;
  const runs = await runsOf(ledger, consultation);
  const ours = new Set(runs.map((run) => run.id));
  const asked = await ledger.notifications.asked(projectId, roles[role], subject);
  return {
    runs,
    asked: asked.filter(({ resume, status }) => status !== 'recorded' && ours.has(resume?.run ?? '')),
  };
}

/** An answer as it counts: questions that were asked before, or too often, are none. */
function checked<T>(answer: RoleAnswer<T>, runs: Run[], asked: Notification[]): RoleAnswer<T> {
  if (answer.kind !== 'questions') return answer;
  const rounds = runs.filter((run) => asked.some((notification) => isFromAnswer(notification, run))).length;
  if (rounds >= MOST_ROUNDS) {
    return { kind: 'unreadable', reason: `You have asked ${rounds} times. Decide the rest yourself.` };
  }
  const questions = freshQuestions(
    answer.questions,
    asked.flatMap((notification) => notification.questions),
  );
  if (Buffer.byteLength(JSON.stringify(questions)) > limits.notificationBytes) {
    return {
      kind: 'unreadable',
      reason: 'Your questions are too long. Ask shorter, and name files instead.',
    };
  }
  if (questions.length > 0) return { kind: 'questions', questions };
  return {
    kind: 'unreadable',
    reason: 'You ask again what was asked before. Go on with the answers that there are.',
  };
}

async function ask(
  { conducting, consultation }: Consulting<unknown>,
  run: Run,
  questions: Question[],
): Promise<void> {
  const { projectId, role, subject } = consultation;
  const { ledger, driver } = conducting;
  const session = run.sessionId === null ? {} : { sessionId: run.sessionId };
  const resume = { agent: run.agent, cwd: run.cwd, run: run.id, ...session };
  const asked = { projectId, source: roles[role], sourceId: subject, questions, resume };
  await ledger.notifications.create(asked, agentOf(driver));
}

async function allSettled({ conducting }: Consulting<unknown>, open: Notification[]): Promise<boolean> {
  const { ledger, signal } = conducting;
  for (const { projectId, id } of open) {
    if (!(await ledger.notifications.wait(projectId, id, signal))) return false;
  }
  return true;
}
