import { type ReadonlySignal, useSignal } from '@preact/signals';
import { messageOf } from '../api/error.ts';
import { leftOut } from './session.ts';

/** Something that a person triggers; if it fails, `problem` is the sentence to show. */
export function useAction(): {
  problem: ReadonlySignal<string | undefined>;
  /** True while it is running. */
  busy: ReadonlySignal<boolean>;
  run(work: () => Promise<unknown>): Promise<void>;
} {
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const run = async (work: () => Promise<unknown>) => {
    busy.value = true;
    try {
      await work();
      problem.value = undefined;
    } catch (error) {
      if (!leftOut(error)) problem.value = messageOf(error);
    } finally {
      busy.value = false;
    }
  };
  return { problem, busy, run };
}
