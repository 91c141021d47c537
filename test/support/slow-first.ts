import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that mostly wait for other programs. At the end of a run, nothing else would use the processors meanwhile. */
const WAITING = /\/test\/(browser|crash)\/|\/(full-disk|outage)\.test\.ts$/;
/** Next, because the agent CLIs are still being installed when the first tests start. */
const CLIS = /\/test\/agents\/conformance\//;

/** Starts these files first, and otherwise keeps the usual order. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) =>
      WAITING.test(moduleId) ? 0 : CLIS.test(moduleId) ? 1 : 2;
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
