import { addUsage, noUsage, type RunEnd, type Usage } from '../agents/driver.ts';
import { resumeRun, startRun } from '../agents/run/conduct.ts';
import { agentOf, type RunOptions, type RunOutcome, waitsForPerson } from '../agents/run/run-options.ts';
import { crashPoint } from '../ledger/crash-point.ts';
import type { By } from '../schema/actor.ts';
import type { Notification } from '../schema/notification.ts';
import type { Question } from '../schema/question.ts';
import type { Run } from '../schema/run.ts';
import type { Assignment, Outcome, Past } from './assignment.ts';
import { nextStep } from './next-step.ts';
import { readPast, sentBackOf, textOf } from './past.ts';

/**
 * Executes an assignment until an answer is accepted, the last attempt failed, or a person has to answer. Each step is
 * read from the ledger: after a crash the same call continues, a finished answer is judged instead of requested again,
 * and nobody is asked twice. Once the caller has used an accepted answer, it calls `closeAssignment`.
 */
export async function executeAssignment<T, F>(
  conducting: RunOptions,
  assignment: Assignment<T, F>,
): Promise<Outcome<T, F>> {
  const { ledger, signal, questions = 'ask' } = conducting;
  const heard = new Heard();
  for (let isFirst = true; ; isFirst = false) {
    const known = await readPast(ledger, assignment);
    // Confirm after reading, because whoever took over the assignment may have withdrawn its questions, which looks
    // like "settled".
    await conducting.confirm?.();
    const sentBack = sentBackOf(known, assignment.findings);
    const past = { asked: known.asked, sentBack };
    const attempt = sentBack.length + 1;
    if (isFirst && known.runs.length > 0) assignment.onResume?.(attempt);
    const step = nextStep(known, questions === 'ask');
    switch (step.kind) {
      case 'wait': {
        const { run, open } = step;
        if (assignment.waits && run.status === 'waiting') assignment.onParked?.(open);
        if (assignment.waits && (await allSettled(conducting, open))) break;
        return { kind: 'waiting', open, run, sentBack };
      }
      case 'judge': {
        const outcome = await judge(conducting, assignment, past, step.run, heard.usageOf(step.run));
        if (outcome) return outcome;
        break;
      }
      case 'start':
      case 'resume': {
        assignment.onAttempt?.(attempt);
        const conducted = await (step.kind === 'resume'
          ? resumeRun(conducting, assignment.projectId, step.run.id)
          : start(conducting, assignment, past, known.runs[0]));
        const { run, waiting } = conducted;
        heard.add(conducted);
        const end = withoutSilence(conducted.end);
        if (end.reason === 'ok') await markDelivered(conducting, past.asked);
        else if (signal?.aborted || !waitsForPerson(conducted))
          return { kind: 'stopped', end, said: heard.saidIn(run), waiting, run, sentBack };
        break;
      }
      default: {
        const never: never = step;
        return never;
      }
    }
  }
}

/** The accepted answer of this run was used, so the same assignment starts over from now on. */
export async function closeAssignment(
  { ledger }: Pick<RunOptions, 'ledger'>,
  run: Run,
  delivered?: { ids: readonly string[]; by: By },
): Promise<void> {
  crashPoint('assignment.used');
  await ledger.runs.judge(run, { kind: 'accepted' }, delivered);
}

function start<T, F>(
  conducting: RunOptions,
  { projectId, source, sourceId, work, basis, prompt }: Assignment<T, F>,
  past: Past<F>,
  last: Run | undefined,
): Promise<RunOutcome> {
  const progress = { basis: basis?.(), rounds: last?.data.rounds };
  return startRun(conducting, { projectId, source, sourceId, prompt: prompt(past), work, progress });
}

/** Undefined if another attempt or a person's answer has to come first. */
async function judge<T, F>(
  conducting: RunOptions,
  assignment: Assignment<T, F>,
  { sentBack, asked }: Past<F>,
  run: Run,
  usage: Usage,
): Promise<Outcome<T, F> | undefined> {
  const text = textOf(run);
  const attempt = sentBack.length + 1;
  const judgement = assignment.read({ text, run, attempt, usage, asked });
  crashPoint('assignment.judged');
  switch (judgement.kind) {
    case 'accept':
      return { kind: 'accepted', value: judgement.value, run, sentBack };
    case 'ask':
      await ask(conducting, assignment, run, judgement.questions);
      return undefined;
    case 'send_back': {
      const { findings } = judgement;
      const kind = attempt < assignment.maxAttempts ? 'sent_back' : 'given_up';
      await conducting.ledger.runs.judge(run, { kind, findings });
      crashPoint('assignment.sent-back');
      if (kind === 'given_up') return { kind, run, sentBack: [...sentBack, { text, findings }] };
      assignment.onSentBack?.(findings);
      return undefined;
    }
    default: {
      const never: never = judgement;
      return never;
    }
  }
}

async function ask<T, F>(
  { ledger, driver }: RunOptions,
  { projectId, source, sourceId }: Assignment<T, F>,
  { id, agent, cwd, sessionId }: Run,
  questions: Question[],
): Promise<void> {
  const resume = { agent, cwd, run: id, ...(sessionId === null ? {} : { sessionId }) };
  await ledger.notifications.create({ projectId, source, sourceId, questions, resume }, agentOf(driver));
}

/** An agent without an answer has not finished, whatever its program says. */
function withoutSilence(end: RunEnd): RunEnd {
  if (end.reason !== 'ok' || end.text.trim() !== '') return end;
  return { ...end, reason: 'no_result', message: `${end.message} Its answer is empty.` };
}

/** The finished agent's prompt contained these answers, so they are delivered. */
async function markDelivered({ ledger, driver }: RunOptions, asked: Notification[]): Promise<void> {
  for (const { projectId, id, status } of asked) {
    if (status !== 'delivered') await ledger.notifications.markDelivered(projectId, id, agentOf(driver));
  }
}

async function allSettled({ ledger, signal, onHold }: RunOptions, open: Notification[]): Promise<boolean> {
  onHold?.(true);
  for (const { projectId, id } of open) {
    if (!(await ledger.notifications.wait(projectId, id, signal))) return false;
  }
  onHold?.(false);
  return true;
}

/** What the agents of this process said and used. A run may have several processes, and the ledger only keeps the last. */
class Heard {
  readonly #runs = new Map<string, { usage: Usage; said: string[] }>();

  add({ run, end }: RunOutcome): void {
    const { usage, said } = this.#runs.get(run.id) ?? { usage: noUsage, said: [] };
    this.#runs.set(run.id, { usage: addUsage(usage, end.usage), said: [...said, end.text] });
  }

  usageOf({ id, end }: Run): Usage {
    return this.#runs.get(id)?.usage ?? end?.usage ?? noUsage;
  }

  saidIn({ id }: Run): string {
    const { said = [] } = this.#runs.get(id) ?? {};
    return said.filter((text) => text.trim() !== '').join('\n\n');
  }
}
