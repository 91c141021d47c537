import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { closeStage, openStage } from '../../src/cli/demo/stage.ts';
import { whatNow } from '../../src/cli/demo/words.ts';
import { openLedger } from '../../src/index.ts';
import { quoted } from '../../src/schema/command-line.ts';
import { fermata, spawnFermata, startFermata } from '../support/fermata.ts';
import { onDisk } from '../support/keep-on-disk.ts';
import { isLong } from '../support/long.ts';
import { longTest } from '../support/long-test.ts';
import { descendants, kill } from '../support/processes.ts';
import { CTRL_C, inTerminal } from '../support/pty.ts';
import { skipWithoutSandbox } from '../support/sandbox.ts';
import { sh } from '../work/support/repository.ts';

const ROOT = join(import.meta.dirname, '../..');
const LONG = 240_000;

function freshDemo(parent = tmpdir()): string {
  const dir = mkdtempSync(join(parent, 'fermata-demo-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Issues and answers that differ from the demo's own. */
function garden(dir: string): string[] {
  mkdirSync(join(dir, 'issues'));
  const issues = {
    '11-tree.md':
      '# Plant a tree\n\nThe garden has none.\n\n## Acceptance criteria\n\n- there is one tree more than before\n',
    '12-fence.md': '# Paint the fence\n\nSomebody asked for it.\n',
    '13-water.md': '# Water the plants\n\nEvery evening at six, all plants that are dry get one litre.\n',
  };
  for (const [name, text] of Object.entries(issues)) writeFileSync(join(dir, 'issues', name), text);
  writeFileSync(
    join(dir, 'answers.json'),
    JSON.stringify({
      'Plant a tree" be announced': 'With a party',
      'What must be true': 'It is green',
      variant: 'B',
    }),
  );
  return ['--issues', join(dir, 'issues'), '--answers', join(dir, 'answers.json')];
}

const play = (dir: string, ...more: string[]) =>
  spawnFermata(['demo', '--headless', '--json', '--folder', join(dir, 'play'), ...more], { limitMs: LONG });

describe('CLI-demo', () => {
  test(
    'FAKE-3 RUN-1 VAR-1 plays whatever issues and answers it is given: ledger, history and files say so',
    async () => {
      const dir = freshDemo();
      const { code, stdout, stderr } = await play(dir, ...garden(dir));
      expect(code, stderr).toBe(0);
      const result = JSON.parse(stdout);
      expect(result).toMatchObject({ branch: 'wishes-1', round: 1, tests_passed: true });
      expect(stderr).toContain('has 3 errors to fix');
      expect(stderr).toContain('Gate commands failed');

      const repository = join(dir, 'play', 'shelf');
      expect(readFileSync(join(repository, 'docs/issue-11.md'), 'utf8')).toContain('With a party');
      expect(readFileSync(join(repository, 'src/issue-13.js'), 'utf8')).toContain('words.join');
      expect(readFileSync(join(repository, 'CHANGELOG.md'), 'utf8')).toBe(
        '# Changes\n\n- Plant a tree (#11)\n- Paint the fence (#12)\n- Water the plants (#13)\n',
      );
      const master = readFileSync(join(repository, 'plans/wishes-1/MASTER_PLAN.md'), 'utf8');
      expect(master).toContain('It is green');
      expect(master.match(/Completed/g)).toHaveLength(4);
      const merges = sh(repository, 'log', '--merges', '--format=%s', 'wishes-1').split('\n');
      expect(merges.toSorted()).toEqual(
        ['1', '2', '3-B', '4'].map(
          (phase) => `Merge branch 'wishes-1--implementation-${phase}' into wishes-1`,
        ),
      );
      expect(sh(repository, 'branch', '--list', 'archive/*').trim()).toBe(
        'archive/wishes-1--implementation-3-A',
      );
      expect(sh(repository, 'status', '--porcelain')).toBe('');

      const ledger = await openLedger(join(dir, 'play', 'home', 'ledger.db'));
      try {
        const [project] = await ledger.projects.list();
        const tasks = await ledger.tasks.list(project?.id ?? '');
        expect(tasks.map(({ id, status }) => [id, status])).toEqual(
          ['1', '2', '3-A', '3-B', '4'].map((phase) => [`wishes-1/${phase}`, 'closed']),
        );
        const asked = await ledger.notifications.asked(project?.id ?? '', 'execute', 'wishes-1/1');
        expect(asked).toMatchObject([{ status: 'delivered', responses: [{ answer: 'With a party' }] }]);
        const runs = await ledger.runs.of(project?.id ?? '', 'execute', 'wishes-1/2');
        expect(runs.map(({ data }) => data)).toMatchObject([{ purpose: 'fix' }, { purpose: 'work' }]);
      } finally {
        await ledger.close();
      }
      expect(result.decided.map(({ answer }: { answer: string }) => answer)).toContain('With a party');
      expect(result.done).toEqual(
        expect.arrayContaining(['Plant a tree', 'Water the plants (variant B)', 'Update the change log']),
      );
      expect(result.done).toHaveLength(4);
      expect(result.waited_seconds).toBeGreaterThan(0);
    },
    LONG,
  );

  longTest(
    'BIND-18 plays in a sandbox if the person always wants one',
    async ({ skip }) => {
      skipWithoutSandbox(skip);
      const folder = join(freshDemo(onDisk()), 'play');
      const env = { FERMATA_SANDBOX: '1', TMPDIR: onDisk() };
      const args = ['demo', '--headless', '--json', '--folder', folder];
      const { code, stdout, stderr } = await spawnFermata(args, { env, limitMs: LONG });
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ tests_passed: true });
    },
    LONG,
  );

  longTest(
    'LED-12 a second round asks less, because the first one decided',
    async () => {
      const dir = freshDemo();
      const first = await play(dir, ...garden(dir));
      expect(first.code, first.stderr).toBe(0);
      const again = await play(dir, ...['--issues', join(dir, 'issues')]);
      expect(again.code, again.stderr).toBe(0);
      const second = JSON.parse(again.stdout);
      expect(second).toMatchObject({ round: 2, branch: 'wishes-2', tests_passed: true });
      expect(second.asked.length).toBeLessThan(JSON.parse(first.stdout).asked.length);
    },
    LONG * 2,
  );

  longTest(
    'RUN-2 killed midway and started again, it finishes the same run',
    async () => {
      const dir = freshDemo();
      const args = ['demo', '--headless', '--json', '--folder', join(dir, 'play')];
      const first = startFermata(args, { limitMs: LONG });
      await new Promise<void>((resolve) => {
        let said = '';
        first.child.stderr?.on('data', (text: string) => {
          said += text;
          if (/: done: merged/.test(said)) resolve();
        });
      });
      // Kills the demo, its run and its agents.
      killAll(first.child.pid ?? 0);
      await first.ended;
      const { code, stdout, stderr } = await spawnFermata(args, { limitMs: LONG });
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ round: 1, branch: 'wishes-1', tests_passed: true });
      const repository = join(dir, 'play', 'shelf');
      const merges = sh(repository, 'log', '--merges', '--format=%s', 'wishes-1').split('\n');
      expect(merges).toHaveLength(4);
    },
    LONG,
  );

  longTest(
    'CHAN-1 in a terminal a person answers, and the demo continues with their answers',
    async () => {
      const dir = freshDemo();
      const terminal = inTerminal(['demo', '--folder', join(dir, 'play')]);
      await terminal.shows(/in your browser[^:]*:\s+http:\/\/127\.0\.0\.1:\d+\/#login=\S+/);
      await terminal.shows(/by title[\s\S]*› /);
      terminal.type('1\r');
      await terminal.shows(/an empty query[\s\S]*› /);
      terminal.type('1\r');
      await terminal.shows(/JSON\s+or\s+INI[\s\S]*› /);
      terminal.type('2\r');
      terminal.type('\r');
      await terminal.shows(/Which separator[\s\S]*› /);
      terminal.type('a tab\r');
      await terminal.shows(/variant A[\s\S]*› /);
      terminal.type(CTRL_C);
      expect(await terminal.ended).toBe(130);
      const continueLine = `Continue with: fermata demo --folder ${quoted(join(dir, 'play'))}`;
      expect(terminal.screen().replace(/\s+/g, ' ')).toContain(continueLine);
      expect(terminal.screen(), 'it is said once').not.toMatch(/Continue with[\s\S]*Interrupted/);
      const repository = join(dir, 'play', 'shelf');
      expect(sh(repository, 'show', 'wishes-1--implementation-1:docs/csv.md')).toContain('a tab');
      for (const variant of ['A', 'B'])
        expect(sh(repository, 'show', `wishes-1--implementation-3-${variant}:src/format.js`)).toContain(
          'as INI',
        );
    },
    LONG,
  );

  test.each([
    ['a file', 'README.md', 'mine'],
    ['a demo.json of somebody else', 'demo.json', '{"name":"a demo"}'],
  ])('CLI-EXIT-2 a folder with %s in it is refused and left as it is', async (_, name, content) => {
    const dir = freshDemo();
    writeFileSync(join(dir, name), content);
    const { code, stderr } = await spawnFermata(['demo', '--headless', '--folder', dir]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${dir} has files that are not from an earlier demo.`);
    expect(readdirSync(dir)).toEqual([name]);
    expect(readFileSync(join(dir, name), 'utf8')).toBe(content);
  });

  const usual = ['by title', 'everything', 'JSON', 'Comma', 'A'] as const;
  const others = ['by year', 'nothing', 'INI', 'Semicolon', 'B'] as const;
  test.each(isLong ? [usual, others] : [others])(
    'FAKE-3 BIND-1 the merged code is what was decided: %s, %s, %s, %s, variant %s',
    async (order, empty, storage, separator, variant) => {
      const dir = freshDemo();
      const answers = { 'by title': order, 'empty query': empty, storage, separator, variant };
      writeFileSync(join(dir, 'answers.json'), JSON.stringify(answers));
      const { code, stdout, stderr } = await play(dir, '--answers', join(dir, 'answers.json'));
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout).asked.map(({ answer }: { answer: string }) => answer)).toEqual(
        expect.arrayContaining([order, empty, storage, separator]),
      );
      expect(await behaviourOf(join(dir, 'play', 'shelf', 'src'))).toEqual(answers);
    },
    LONG,
  );

  test('its files are part of the package', () => {
    expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).files).toContain('examples/demo');
  });

  test('RUN-2 other issues start another round, and the first one is left alone', () => {
    const dir = freshDemo();
    const issue = { number: 1, title: 'Paint', body: 'Green.' };
    const first = openStage(dir, [issue]);
    expect(openStage(dir, [issue]).round).toBe(1);
    expect(openStage(dir, [{ ...issue, body: 'Red.' }]).round).toBe(2);
    closeStage(first);
    expect(openStage(dir, [issue])).toMatchObject({ round: 2, branch: 'wishes-2' });
  });

  test('commands that it prints for pasting name the right folders, whatever they are called', () => {
    const folder = join(freshDemo(), `it's "my" $HOME demo`);
    const stage = openStage(folder, []);
    const pasted = whatNow(stage)
      .split('\n')
      .filter((line) => /^ {2}(cd|export|alias) /.test(line));
    const script = `${pasted.join('\n')}\npwd\necho "$FERMATA_HOME"`;
    const said = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
    expect(said).toBe(`${join(folder, 'shelf')}\n${join(folder, 'home')}\n`);
  });

  test('CLI-EXIT-4 a missing agent is reported before anything is created, with what to do', async () => {
    const dir = freshDemo();
    const env = { PATH: '/nonexistent' };
    for (const agent of ['claude', 'codex']) {
      const args = ['demo', '--headless', '--agent', agent, '--folder', join(dir, 'play')];
      const { code, stderr } = await fermata(args, { env });
      expect(code).toBe(4);
      expect(stderr).toMatch(/npm install -g @.*Without --agent, the demo uses scripted agents\./);
    }
    expect(readdirSync(dir)).toEqual([]);
  });

  test('without a terminal it says so instead of hanging', async () => {
    const result = await spawnFermata(['demo']);
    expect(result.code).toBe(3);
    expect(result.stderr).toContain('--headless');
  });
});

/** What the merged code of the demo does, in the words of its questions. */
async function behaviourOf(src: string): Promise<Record<string, string>> {
  const load = (name: string) => import(join(src, `${name}.js`));
  const { toCsv } = await load('csv');
  const { search } = await load('search');
  const { print } = await load('format');
  const [heading, first] = toCsv([
    { title: 'B', year: 1 },
    { title: 'A', year: 2 },
  ]).split('\n');
  return {
    'by title': first.startsWith('B') ? 'by year' : 'by title',
    'empty query': search([{ title: 'Dune' }], '').length === 0 ? 'nothing' : 'everything',
    storage: print({ a: 'b' }).startsWith('{') ? 'JSON' : 'INI',
    separator: heading === 'title;year' ? 'Semicolon' : 'Comma',
    variant: readFileSync(join(src, 'settings.js'), 'utf8').includes('which is read once') ? 'B' : 'A',
  };
}

function killAll(pid: number): void {
  for (const each of [pid, ...descendants(pid)]) kill(each, 'SIGKILL');
}
