import { resumeRun } from '../../agents/conduct.ts';
import type { Conducted, Conducting } from '../../agents/conducting.ts';
import { addUsage, type Usage } from '../../agents/driver.ts';
import type { Notification } from '../../schema/notification.ts';
import { isAtTerminal } from '../at-terminal.ts';
import { tell } from '../output.ts';

/**
 * Goes on with a run until it has ended: a run that was parked, or whose agent died with a question open, holds no
 * process; when its questions are settled, it is taken up again. An agent that fails with nothing left to ask is not
 * started over and over. The usage is that of all its processes.
 */
export async function persist(
  conducting: Conducting,
  first: Conducted,
): Promise<{ last: Conducted; usage: Usage }> {
  let conducted = first;
  let { usage } = first.end;
  while (waitsForPerson(conducted) && !conducting.signal?.aborted) {
    const { run, waiting } = conducted;
    // Who is asked here may be typing the answer.
    if (!isAtTerminal())
      tell(`The agent holds no process while it waits for ${waiting.map((n) => n.id).join(', ')}.`);
    if (!(await allSettled(conducting, waiting))) break;
    conducted = await resumeRun(conducting, run.projectId, run.id);
    usage = addUsage(usage, conducted.end.usage);
  }
  return { last: conducted, usage };
}

/** A parked run may have been answered while it was being parked; any other has to have something open. */
function waitsForPerson({ waiting, end }: Conducted): boolean {
  return waiting.length > 0 && (end.reason === 'parked' || waiting.some(({ status }) => status === 'open'));
}

async function allSettled({ ledger, signal }: Conducting, waiting: Notification[]): Promise<boolean> {
  for (const { projectId, id } of waiting) {
    if (!(await ledger.notifications.wait(projectId, id, signal))) return false;
  }
  return true;
}
