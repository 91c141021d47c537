import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { allows } from '../../../src/work/run/permissions.ts';
import { cpuTime } from '../../support/cpu-time.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-allowed-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const may = (tool: string, input: unknown, tools: string[] = []) =>
  allows({ folder, gates: ['npm test -- --run', 'make check | tee log'], tools }, tool, input);
const bash = (command: string) => may('Bash', { command });

describe('RUN-1 what an agent may do without asking', () => {
  test.each([
    'npm test -- --run',
    'make check | tee log',
    'fermata plan read-prompt 2 A',
    'envoy plan record-implementation 2 --walkthrough "It\'s done (really); see a.ts" --iteration 1',
    "envoy plan record-implementation 2 --walkthrough 'costs $5; `x`' --iteration 1",
    'fermata plan write-approach web 1 --description "A form" --files src/form.ts',
    'fermata audit plans/shop --format json',
    'git commit -m "Add a page"',
    'git commit -m "--amend" -m two',
    'git add -A',
  ])('it may run %s', (command) => expect(bash(command)).toBe(true));

  test.each([
    'npm test',
    'rm -rf /',
    'fermata plan next; rm -rf /',
    'fermata plan next && curl evil',
    'fermata ask "$(cat ~/.ssh/id_rsa)"',
    'fermata ask "`id`"',
    'fermata ask x > /etc/passwd',
    'fermata plan next\nrm -rf /',
    'git push',
    'git log -1 --output=/tmp/x',
    'git log -1 --outp=/tmp/x',
    'git diff --no-index /dev/null /etc/passwd',
    'git commit -F /etc/passwd',
    'git commit --no-verify -m x',
    'git commit -m -m --amend',
    'git commit -m -am -F/etc/passwd',
    'git add --pathspec-from-file=/etc/passwd',
    'git add :/',
    'fermata answer n-1 yes',
    'fermata draft idea --agent command --agent-command ./x',
    'fermata run --allow Bash',
    'fermata review 1 --agent command --agent-command ./x',
    'fermata plan complete-prompt 1 --plan elsewhere',
    'fermata review 1 --model=cheap',
    'fermata ask "May I?" --default yes --after 1s',
    'fermata plan next --store postgres://elsewhere/x',
    'fermata plan next --project=elsewhere',
    'fermata audit plans/shop --fix',
    'fermata tasks close shop/2',
    'fermata config set hilConfig full',
    'fermata demo',
    'git -c core.pager=evil log',
    'gitx add',
    '',
  ])('it has to ask for %j', (command) => expect(bash(command)).toBe(false));

  test('a command that runs elsewhere is not harmless', () => {
    expect(may('Bash', { command: 'git add -A', cwd: join(folder, 'src') })).toBe(true);
    expect(may('Bash', { command: 'git add -A', cwd: join(folder, '..') })).toBe(false);
    expect(may('Bash', { command: 'git add -A', cwd: 1 })).toBe(false);
  });

  test('it may write in its worktree, but neither outside nor in .git', () => {
    expect(may('Write', { file_path: join(folder, 'src/a.ts') })).toBe(true);
    expect(may('Edit', { file_path: 'a.ts' })).toBe(true);
    expect(may('Write', { file_path: join(folder, '../a.ts') })).toBe(false);
    expect(may('Write', { file_path: '/etc/passwd' })).toBe(false);
    expect(may('Write', { file_path: join(folder, '.git/hooks/pre-commit') })).toBe(false);
    expect(may('Edit', { file_path: '.GIT' })).toBe(false);
    expect(may('Write', { file_path: '.{git,x}/config' })).toBe(false);
    for (const path of ['.claude/settings.json', '.mcp.json', '.husky/pre-commit', 'fermata.config.json'])
      expect(may('Write', { file_path: path }), path).toBe(false);
    expect(may('NotebookEdit', { file_path: 'ok', notebook_path: '/etc/x' })).toBe(false);
    expect(may('Write', {})).toBe(false);
  });

  test('a link out of the worktree, a home folder and a truncated path lead outside', () => {
    symlinkSync(tmpdir(), join(folder, 'link'));
    for (const path of ['link', 'link/a.ts', join(folder, 'link/new/a.ts'), '~/.ssh/id_rsa', 'a.ts\0/x']) {
      expect(may('Read', { file_path: path }), path).toBe(false);
      expect(may('Write', { file_path: path }), path).toBe(false);
    }
    expect(may('Read', { file_path: 'a/b/new.ts' })).toBe(true);
  });

  test('it may search only in its worktree, whatever the pattern', () => {
    expect(may('Glob', { pattern: 'src/**/*.ts' })).toBe(true);
    expect(may('Glob', { pattern: '*.{ts,tsx}' })).toBe(true);
    for (const pattern of ['{/etc/passwd,x}', '{..,.}/{..,.}/*', '[.][.]/x', '../x'])
      expect(may('Glob', { pattern }), pattern).toBe(false);
    expect(may('Grep', { pattern: 'x', glob: '../../**' })).toBe(false);
    expect(may('Grep', { pattern: 'a..b', glob: '*.ts' })).toBe(true);
  });

  test('it may use what the person allowed', () => {
    expect(may('WebFetch', { url: 'https://example.org' })).toBe(false);
    expect(may('WebFetch', { url: 'https://example.org' }, ['WebFetch'])).toBe(true);
  });

  test('a long hostile command is judged at once', () => {
    const hostile = `fermata ${'"a" '.repeat(100_000)}$(x)`;
    expect(cpuTime(() => expect(bash(hostile)).toBe(false))).toBeLessThan(1000);
  });
});
