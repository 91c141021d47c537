import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { otherSteering, steeringKinds } from '../../src/work/autonomy/steering-table.ts';

const ROOT = join(import.meta.dirname, '../..');
const BEGIN = '<!-- steering files: written from src/work/autonomy/steering-table.ts -->\n';
const END = '<!-- end -->';

it.each([
  ['docs/run.md', everyFile],
  ['SECURITY.md', everyKind],
])('BIND-22 %s has the files that run programs or steer agents, as in the table', (file, text) => {
  const path = join(ROOT, file);
  const page = readFileSync(path, 'utf8');
  const [before = '', rest = ''] = page.split(BEGIN);
  const written = `${before}${BEGIN}${text()}${rest.slice(rest.indexOf(END))}`;
  if (process.env.FERMATA_WRITE_DOCS === '1') writeFileSync(path, written);
  else expect(page, 'Write it with: FERMATA_WRITE_DOCS=1 npm test -- steering-page').toBe(written);
});

/** The reasons, and for each program its files. */
function everyFile(): string {
  const rows = steeringKinds.map(({ summary, files }) => [
    summary,
    Object.entries(files)
      .map(([program, names]) => `${program}: ${names.split(' ').map(code).join(' ')}`)
      .join('; '),
  ]);
  const others = Object.values(otherSteering).map(({ what, why }) => [why, what]);
  const row = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return `${row(['reason', 'files'])}|---|---|\n${[...rows, ...others].map(row).join('')}`;
}

/** The reasons only, with a link to the files. */
function everyKind(): string {
  const reasons = steeringKinds.map(({ summary }) => `- ${summary}\n`).join('');
  return `A file waits for your yes if it

${reasons}
or if it is part of a plan, in the folder of git hooks, a submodule, a link in the place of such a file, or a manifest in which the
scripts of an install have changed. [Steering files](docs/run.md#steering-files) names every file. Code, tests and build
descriptions are not among them.

`;
}

const code = (name: string) => `\`${name}\``;
