import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isWriting, recordedVersions, recordOf, SCENARIOS } from '../agents/conformance/outcomes.ts';

const PAGE = join(import.meta.dirname, '../../docs/agents.md');
const BEGIN = '<!-- written by the conformance suite -->\n';
const END = '<!-- end -->';

it('HEAR-11 every scenario has an outcome for every version on record', () => {
  for (const name of recordedVersions()) expect(Object.keys(recordOf(name)), name).toEqual([...SCENARIOS]);
});

it('HEAR-11 the table of scenarios in docs/agents.md is what the suite has recorded', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [before = '', rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  const written = `${before}${BEGIN}${table()}${END}${after}`;
  if (isWriting) writeFileSync(PAGE, written);
  else expect(page, 'Write it with: FERMATA_WRITE_OUTCOMES=1 npm test -- agents-table').toBe(written);
});

function table(): string {
  const versions = recordedVersions().map((name) => ({
    name: name.replace('-', ' '),
    record: recordOf(name),
  }));
  const row = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return [
    row(['scenario', ...versions.map(({ name }) => name)]),
    row(['---', ...versions.map(() => '---')]),
    ...SCENARIOS.map((scenario) => row([scenario, ...versions.map(({ record }) => record[scenario] ?? '–')])),
  ].join('');
}
