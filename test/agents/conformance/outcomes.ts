import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';

/** The rows of the table in docs/agents.md: what an agent program goes through in the suite. */
export const SCENARIOS = [
  'a question is answered in the same session',
  'two questions are open at once',
  'nobody answers for a while',
  'a command is approved, another rejected',
  'a background command wakes the agent, which asks',
  'a background sub-agent asks for a command',
  'interrupted with a question open, then resumed',
  'the agent is killed with a question open, then resumed',
  'Fermata is killed with a question open, then resumed',
  'the agent is killed right after the answer, then resumed',
  'the model fails while a question is open',
  'the model fails right after the answer and during the resume, then resumed again',
] as const;
type Scenario = (typeof SCENARIOS)[number];

/** The outcome of each scenario with one version of an agent program. */
export type Outcomes = Partial<Record<Scenario, string>>;

const FOLDER = join(import.meta.dirname, 'records');
/** If set, the tests write their outcomes instead of comparing them with the recorded ones. */
export const isWriting = process.env.FERMATA_WRITE_OUTCOMES === '1';

export const recordedVersions = (): string[] =>
  readdirSync(FOLDER)
    .map((file) => file.replace(/\.json$/, ''))
    .sort();

export function recordOf(name: string): Outcomes {
  const file = join(FOLDER, `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Records the outcomes of one program's scenarios; "yes" means that everything worked. */
export type Recorder = (scenario: Scenario, outcome?: string) => void;

/** After all tests, the outcomes must match the recorded ones. Without a name, nothing is recorded. */
export function outcomesOf(name: string | undefined): Recorder {
  const seen: Outcomes = {};
  if (name !== undefined) afterAll(() => keep(name, seen));
  return (scenario, outcome = 'yes') => {
    seen[scenario] = outcome;
  };
}

function keep(name: string, seen: Outcomes): void {
  if (Object.keys(seen).length === 0) return; // it is not installed here
  const known = recordOf(name);
  if (!isWriting) {
    const advice = `Run it with FERMATA_WRITE_OUTCOMES=1 to record what ${name} does now`;
    expect({ ...known, ...seen }, advice).toEqual(known);
    return;
  }
  const all = { ...known, ...seen };
  const ordered = SCENARIOS.flatMap((scenario) => (all[scenario] ? [[scenario, all[scenario]]] : []));
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(Object.fromEntries(ordered), null, 2)}\n`);
}
