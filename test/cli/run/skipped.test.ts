import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { planRepository } from './support/plan-repository.ts';

const LONG = 240_000;

/** Changes a file of the plan, and commits that. */
function edit(place: ReturnType<typeof planRepository>, file: string, change: (text: string) => string) {
  const path = join(place.cwd, 'plans/shop', file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  place.git('commit', '--quiet', '--all', '-m', 'Edited');
}

describe('CLI-run and skipped steps', { timeout: LONG }, () => {
  test.each([
    ['in a task', 'phase-1.md', (text: string) => text.replace('Do part 1', 'Do {what is to be done}')],
    ['in the master', 'MASTER_PLAN.md', (text: string) => `${text}\n## Overview\n\nTBD\n`],
    [
      "in a gate's code block",
      'phase-1.md',
      (text: string) =>
        text.replace(
          '- check: `test -d .` (AC-1)',
          '- check:\n\n  ```\n  {command that runs the tests}\n  ```',
        ),
    ],
  ])('BIND-4 a plan with a place that nobody filled in, %s, is not run', async (_, file, change) => {
    const place = planRepository([{ id: '1' }]);
    edit(place, file, change);
    const { code, stderr } = await place.run();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`fails the audit, so it does not run:\\n  ${file}:\\d+ PLACEHOLDER_LEFT: `),
    );
    expect(stderr).not.toContain('scripted starts');
  });

  longTest('BIND-4 warnings of the audit are shown, and the plan is run', async () => {
    const place = planRepository([{ id: '1' }]);
    edit(place, 'phase-1.md', (text) => `${text}- AC-2: Nobody sees to this.\n`);
    const { code, stdout, stderr } = await place.run('--json');
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(
      /The audit of shop has 1 warning:\n {2}phase-1\.md:\d+ UNCOVERED_CRITERION: Nothing covers AC-2/,
    );
    expect(JSON.parse(stdout).warnings).toMatchObject([
      { severity: 'warning', code: 'UNCOVERED_CRITERION', file: 'phase-1.md' },
    ]);
  });

  test('BIND-4 a skipped review and missing notes are reported at the end, and are in the summary', async () => {
    const place = planRepository([{ id: '1' }, { id: '2' }]);
    const { code, stdout } = await place.run();
    expect(code).toBe(0);
    expect(stdout).toContain('Skipped: review of phases 1, 2. Nobody has reviewed the work.\n');
    expect(stdout).toContain('Skipped: notes of phase 1. The agent did not write notes/NOTES_1.md.\n');
    const again = JSON.parse((await place.run('--json', '--skip-audit')).stdout);
    expect(again.skipped).toMatchObject([
      { step: 'audit', phase: null, task: null },
      { step: 'review', phase: '1', task: 'shop/1', reason: 'Nobody has reviewed the work.' },
      { step: 'notes', phase: '1', task: 'shop/1' },
      { step: 'review', phase: '2' },
      { step: 'notes', phase: '2' },
    ]);
  });

  longTest('BIND-4 nothing is reported for a phase that was reviewed and has its notes', async () => {
    const place = planRepository([{ id: '1' }]);
    const folder = join(place.cwd, '..');
    writeFileSync(join(folder, 'gemini'), '#!/bin/sh\ncat > /dev/null\necho \'{"verdict":"passed"}\'\n', {
      mode: 0o755,
    });
    const agent = `#!/bin/sh
cat > /dev/null
mkdir -p plans/shop/notes
echo "It went well." > plans/shop/notes/NOTES_1.md
git add --all >&2 && git commit --quiet -m Notes >&2
fermata review 1 >&2
echo '{"status":"success","summary":"done"}'
`;
    writeFileSync(join(folder, 'agent.sh'), agent, { mode: 0o755 });
    const args = ['run', 'plans/shop', '--json', '--agent', 'command'];
    const { code, stdout, stderr } = await fermata([...args, '--agent-command', join(folder, 'agent.sh')], {
      ...place.at,
      env: { ...place.at.env, PATH: [folder, process.env.PATH].join(delimiter) },
    });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ result: 'done', skipped: [], warnings: [] });
  });
});
