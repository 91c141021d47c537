import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

interface Tally {
  name: string;
  state: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  note?: string | undefined;
}

/** Writes the result of each test to the file that scripts/test.mjs names (vitest's JSON omits the reason of a skip). */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const file = process.env.FERMATA_TALLY;
    if (file === undefined) return;
    const tallies = modules.flatMap((module) => [
      ...brokenFile(module),
      ...[...module.children.allTests()].map((test) => tally(module, test)),
    ]);
    for (const _ of unhandled) tallies.push({ name: 'an error outside of any test', state: 'failed' });
    writeFileSync(file, JSON.stringify(tallies));
  }
}

function tally(module: TestModule, test: TestCase): Tally {
  const result = test.result();
  const state = result.state === 'pending' ? 'failed' : result.state;
  return {
    name: `${module.relativeModuleId} > ${test.fullName}`,
    state,
    note: 'note' in result ? result.note : undefined,
  };
}

/** A file or a suite that fails outside its tests (an import, a hook) has no failed test that would show it. */
function brokenFile(module: TestModule): Tally[] {
  const broken =
    module.errors().length + [...module.children.allSuites()].flatMap((suite) => suite.errors()).length;
  return broken > 0 ? [{ name: `${module.relativeModuleId} (outside of its tests)`, state: 'failed' }] : [];
}
