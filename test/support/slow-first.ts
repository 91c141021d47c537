import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that mostly wait for other programs. At the end of a run, nothing else would use the processors meanwhile. */
const WAITING = /\/test\/(agents\/conformance|browser|crash)\/|\/(full-disk|outage|suspended-run)\.test\.ts$/;

/** Starts these files first, and otherwise keeps the usual order. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => WAITING.test(moduleId);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
