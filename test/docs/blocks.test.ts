import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planRepository } from '../cli/run/support/plan-repository.ts';
import { BIN, environment, fermata, startFermata } from '../support/fermata.ts';
import { isLong } from '../support/long.ts';
import { asRun, stale } from './support/as-run.ts';
import { commandBlocks } from './support/blocks.ts';

const LONG = 300_000;
const EXAMPLES = join(import.meta.dirname, '../../examples');
const PROGRESS =
  '# Progress: Shop\n\n## Status\n\nIn Progress\n\n## Tasks\n\n### Phase 1: Setup\n\n- [ ] Configure project\n';
const blocks = commandBlocks();
const pages = [...new Set(blocks.map(({ page }) => page))];
const runnable = pages
  .map(
    (page) =>
      [
        page,
        blocks
          .filter((block) => block.page === page)
          .flatMap(({ commands }) => commands.flatMap((command) => asRun(command) ?? [])),
      ] as const,
  )
  .filter(([, commands]) => commands.length > 0);

/** Half a minute for all of them. */
const tried = runnable.filter(([page]) => isLong || page === 'README.md');

describe('the commands in the code blocks of README.md, CONTRIBUTING.md and docs', () => {
  it('have a reason if they are not run, and no reason is left over', () => {
    expect(stale(blocks.flatMap(({ commands }) => commands))).toEqual([]);
  });

  it('work in one project, page by page, with the scripted agent', { timeout: LONG }, async () => {
    const { cwd, env, scenarios } = project();
    // The page of the hub works on it.
    expect((await fermata(['tasks', 'add', 'Try it'], { cwd, env })).stdout).toBe('t1\n');
    const hub = startFermata(['serve', '--port', '0', '--json'], { cwd, env, limitMs: LONG });
    const { url } = JSON.parse((await hub.shows(/\}\n/)).trim());
    const shell = { ...environment(env), HUB: url, FAKE_CLAUDE_CONFIG: scenarios };
    for (const [page, commands] of tried) {
      const script = [HELPERS, 'set -v', ...commands].join('\n');
      const { status, stderr } = spawnSync('bash', ['-euc', script], {
        cwd,
        env: shell,
        encoding: 'utf8',
        timeout: LONG / 2,
      });
      expect(status, `${page}\n${stderr.slice(-3000)}`).toBe(0);
    }
    hub.child.kill('SIGINT');
    await hub.ended;
  });
});

const HELPERS = `
curl() { command curl -fsS "$@"; }
pick() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8'))$1"; }
last_open() { fermata inbox --format json | pick '.notifications.at(-1).id'; }
P=$(fermata config project --format json | pick .settings.project.value.id)
`;

/** A repository with everything that the pages name, and its own home with our programs on the PATH. */
function project() {
  const phases = [{ id: '1' }, { id: '2', dependsOn: ['1'], front: 'requires_manual_testing: true' }];
  const place = planRepository(phases);
  const { cwd } = place;
  const home = join(cwd, '..', 'person');
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const name of ['fermata', 'rslph']) symlinkSync(BIN, join(bin, name));
  renameSync(join(cwd, 'plans/shop'), join(cwd, 'plans/login'));
  cpSync(EXAMPLES, join(cwd, 'examples'), { recursive: true });
  cpSync(join(EXAMPLES, 'issues'), join(cwd, 'issues'), { recursive: true });
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ann\n\temail = ann@example.org\n');
  writeFileSync(join(cwd, 'progress.md'), PROGRESS);
  place.git('add', '--all');
  place.git('commit', '--quiet', '-m', 'What the pages name');
  const env = {
    HOME: home,
    FERMATA_HOME: join(home, '.local/share/fermata'),
    FERMATA_TRUST: '1',
    PATH: `${bin}:${process.env.PATH}`,
  };
  return { cwd, env, scenarios: String(place.at.env?.FAKE_CLAUDE_CONFIG) };
}
