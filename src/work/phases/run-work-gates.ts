import { isSandboxed } from '../../agents/sandbox/sandbox.ts';
import { git } from '../../git/git.ts';
import { committedState } from '../../git/status.ts';
import { FermataError } from '../../schema/error.ts';
import type { GateRun } from '../../schema/phase-record.ts';
import { Refusal } from '../../schema/refusal.ts';
import { verifyCheckout } from '../worktrees/verify-work.ts';
import { fenceOf } from './hold.ts';
import type { Surroundings } from './plan-context.ts';
import { type GateCommand, runGates } from './run-gates.ts';

export interface GateOptions {
  /** The timeout of each gate command. */
  timeoutMs: number;
  signal: AbortSignal;
  tell(sentence: string): void;
  changes?: GateChanges;
  /** The run of the agent whose work is checked. */
  run?: string;
}

/** What becomes of the changes that gate commands make to tracked files. */
interface GateChanges {
  /** Resolves to the commit that then contains all tracked files, if there is one. */
  commit(): Promise<string | undefined>;
  /** Moves the branch and all tracked files back to a commit. */
  undo(to: string): Promise<void>;
}

/** Runs the gate commands of a phase or task in a folder, records their results, and throws if one failed. */
export async function runWorkGates(
  place: Pick<Surroundings, 'ledger' | 'projectId' | 'by' | 'fence' | 'git'>,
  { taskId, gates }: { taskId: string; gates: readonly GateCommand[] },
  cwd: string,
  options: GateOptions,
): Promise<GateRun[]> {
  // In a sandbox nobody else can write objects, and what an agent committed was checked when it was received.
  if (place.git && !isSandboxed(process.env)) await verifyCheckout(place.git, cwd);
  const { runs, commit } = options.changes
    ? await runWithChanges(gates, cwd, options, options.changes)
    : { commit: place.git && (await committedState(cwd)), runs: await runAll(gates, cwd, options) };
  const { ledger, projectId, by } = place;
  const data = {
    cwd,
    runs,
    ...(commit === undefined ? {} : { commit }),
    ...(options.run === undefined ? {} : { run: options.run }),
  };
  await ledger.phases.add(projectId, taskId, by, { kind: 'gates', data }, fenceOf(place));
  const failed = runs.filter(({ passed }) => !passed);
  if (failed.length === 0) return runs;
  const names = failed.map(
    ({ name, problem, exit_code }) =>
      `${name} (${problem === 'failed' ? `exit code ${exit_code}` : problem})`,
  );
  throw new Refusal('gates_failed', `Gate commands failed: ${names.join(', ')}.`, {
    suggestion: 'Fix what they found, record the next iteration, and complete the phase again.',
    data: { gates: runs, folder: cwd },
  });
}

/**
 * Gate commands that change tracked files, such as a formatter, run again on what they changed: that is what is merged, and
 * an agent's own tests could change it after the others have passed. What one changes then is undone before the next.
 */
async function runWithChanges(
  gates: readonly GateCommand[],
  cwd: string,
  options: GateOptions,
  changes: GateChanges,
): Promise<{ runs: GateRun[]; commit: string | undefined }> {
  const runEach = async (then: () => Promise<unknown>): Promise<GateRun[]> => {
    const runs: GateRun[] = [];
    for (const gate of gates) {
      runs.push(...(await runAll([gate], cwd, options)));
      await then();
    }
    return runs;
  };
  const before = await git(cwd, ['rev-parse', 'HEAD']);
  let commit: string | undefined = before;
  const runs = await runEach(async () => {
    commit = await changes.commit();
  });
  if (commit === before || runs.some(({ passed }) => !passed)) return { runs, commit };
  options.tell('gate commands changed tracked files, so all run again');
  const changed = await git(cwd, ['rev-parse', 'HEAD']);
  const again = await runEach(async () => {
    if ((await changes.commit()) !== changed) await changes.undo(changed);
  });
  return { runs: again, commit: changed };
}

/** Throws if it was interrupted, or if the machine killed one. */
async function runAll(gates: readonly GateCommand[], cwd: string, options: GateOptions): Promise<GateRun[]> {
  const runs = await runGates(gates, cwd, options, options.tell);
  if (options.signal.aborted || runs.some(({ problem }) => problem === 'interrupted'))
    throw new Refusal('interrupted', 'Interrupted. The phase is not complete.');
  const killed = runs.find(({ problem }) => problem === 'killed');
  if (killed)
    throw new FermataError(
      'unavailable',
      `Gate command ${killed.name} (${killed.command}) was killed by a signal.`,
    );
  return runs;
}
