import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata } from '../support/fermata.ts';
import { planRepository, type TestPhase } from './run/support/plan-repository.ts';

const LONG = 240_000;
const LEVELS = '{"hilConfig":"full"}\n';

/** A cloned repository with somebody else's plan, none of it trusted. */
function clone(
  files: Record<string, string> = {},
  phases: TestPhase[] = [
    { id: '1', gate: 'test -e made.txt', steps: [{ do: 'write', path: 'made.txt', content: 'x\n' }] },
  ],
) {
  const place = planRepository(phases);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(place.cwd, path)), { recursive: true });
    writeFileSync(join(place.cwd, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const at = { ...place.at, env: { ...place.at.env, FERMATA_TRUST: undefined as string | undefined } };
  const call = (...args: string[]) => fermata(args, at);
  return {
    ...place,
    at,
    put,
    call,
    as: (env: Record<string, string>, ...args: string[]) =>
      fermata(args, { ...at, env: { ...at.env, ...env } }),
    run: (...args: string[]) => call('run', 'plans/shop', '--agent', 'scripted', ...args),
    inbox: async () => JSON.parse((await call('inbox', '--json')).stdout).notifications,
    list: async () => JSON.parse((await call('trust', '--list', '--json')).stdout).trusted,
  };
}

describe('CLI-trust', () => {
  test('BIND-12 TEAM-4 lists the checks that Fermata found, as long as none are configured', async () => {
    const place = clone({ 'package.json': '{"scripts":{"test":"node --test"}}\n' });
    const names = async () => (await place.list()).map(({ name }: { name: string }) => name);
    expect(await names()).toContain('checks');
    place.put('fermata.config.json', '{"checks":["make check"]}\n');
    expect((await place.call('trust', '--trust')).code).toBe(0);
    expect(await names()).not.toContain('checks');
  });

  test(
    'BIND-12 without a terminal run exits with 3, asks in the inbox with the content verbatim, and continues after a yes',
    async () => {
      const place = clone({ 'fermata.config.json': LEVELS });
      const first = await place.run();
      expect(first.code).toBe(3);
      expect(first.stderr).toMatch(
        /Not trusted yet: fermata\.config\.json \(new\)\. Review it with "fermata trust"/,
      );
      const [config] = await place.inbox();
      expect(config).toMatchObject({ source: 'approval', questions: [{ verbatim: [{ text: LEVELS }] }] });
      expect((await place.run()).code).toBe(3);
      expect(await place.inbox()).toHaveLength(1);
      expect((await place.call('answer', config.id, 'Approve')).code).toBe(0);
      const second = await place.run();
      expect(second.code).toBe(3);
      expect(second.stderr).toContain('plan shop (new)');
      const [plan] = await place.inbox();
      expect(plan.questions[0].verbatim[0].text).toContain('$ test -e made.txt');
      expect((await place.call('answer', plan.id, 'Approve')).code).toBe(0);
      const third = await place.run();
      expect(third.code, third.stderr).toBe(0);
      expect(await place.list()).toMatchObject([
        { name: 'config', state: 'trusted', by: 'tester' },
        { name: 'plan:shop', state: 'trusted', by: 'tester' },
      ]);
    },
    LONG,
  );

  test(
    'BIND-12 run --trust never waits, nor does FERMATA_TRUST=1; neither counts from an agent',
    async () => {
      const place = clone({ 'fermata.config.json': LEVELS });
      const agent = { FERMATA_AGENT: 'claude', FERMATA_TRUST: '1' };
      const tried = await place.as(agent, 'run', 'plans/shop', '--agent', 'scripted', '--trust');
      expect(tried.code).toBe(3);
      expect(tried.stderr).toContain('A person must review it first: fermata answer n-');
      expect(await place.as(agent, 'trust', '--trust')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('An agent may not decide what to trust'),
      });
      expect((await place.as(agent, 'trust', '--revoke', 'config')).code).toBe(1);
      expect((await place.list()).map(({ state }: { state: string }) => state)).toEqual(['new', 'new']);
      const run = await place.run('--trust');
      expect(run.code, run.stderr).toBe(0);
      expect(run.stderr).toContain('Trusted: plan shop (new).');
      expect(await place.inbox()).toEqual([]);
      const ci = clone({ 'fermata.config.json': LEVELS });
      const done = await ci.as({ FERMATA_TRUST: '1' }, 'run', 'plans/shop', '--agent', 'scripted');
      expect(done.code, done.stderr).toBe(0);
    },
    LONG,
  );

  test(
    'BIND-12 a plan that changed between approval and run is asked about with a diff; a no is final for that content',
    async () => {
      const place = clone();
      await place.call('trust', '--trust');
      const file = 'plans/shop/phase-1.md';
      const text = `# Phase 1: Part 1\n\n**Status:** Pending\n**Depends On:** N/A\n\n## Process Wrapper\n\n- [ ] Write notes to \`notes/NOTES_1.md\`\n\n## Gates\n\n- check: \`curl evil.example\` (AC-1)\n\n## Tasks\n\n- [ ] Do it (AC-1)\n\n## Acceptance Criteria\n\n- AC-1: It is there.\n`;
      place.put(file, text);
      const run = await place.run();
      expect(run.code).toBe(3);
      expect(run.stderr).toContain('plan shop (changed)');
      const [asked] = await place.inbox();
      expect(asked.questions[0].verbatim[0].text).toContain(
        '-    $ test -e made.txt\n+    $ curl evil.example',
      );
      await place.call('answer', asked.id, 'Reject');
      const refused = await place.run();
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('tester does not trust plan shop. Change it, or review it again');
      expect((await place.call('trust')).code).toBe(3);
    },
    LONG,
  );

  test(
    'BIND-12 a person is asked about protocols, prompts and what agent programs run by themselves before the first run',
    async () => {
      const place = clone({
        '.claude/protocols/implementation.yaml': 'name: implementation\nextends: implementation\n',
        '.claude/fermata/prompts/coder.md': 'Do {{input}}\n',
        '.mcp.json': '{"mcpServers":{"x":{"command":"evil"}}}\n',
      });
      expect((await place.run()).code).toBe(3);
      const asked = (await place.inbox()).map(
        ({
          sourceId,
          questions: [
            {
              verbatim: [{ text }],
            },
          ],
        }: {
          sourceId: string;
          questions: [{ verbatim: [{ text: string }] }];
        }) => [sourceId, text],
      );
      expect(Object.fromEntries(asked)).toMatchObject({
        'trust:protocol:implementation': 'name: implementation\nextends: implementation\n',
        'trust:prompt:coder': 'Do {{input}}\n',
        'trust:agent:.mcp.json': '{"mcpServers":{"x":{"command":"evil"}}}\n',
        'trust:plan:shop': expect.stringContaining('$ test -e made.txt'),
      });
      const draft = await place.call('draft', 'Add a page', '--agent', 'scripted');
      expect([draft.code, draft.stderr]).toEqual([3, expect.stringContaining('.mcp.json (new)')]);
    },
    LONG,
  );

  test(
    'BIND-12 the plan commands ask before they run or print anything from the plan',
    async () => {
      const place = clone();
      for (const args of [
        ['plan', 'read-prompt', '1'],
        ['plan', 'start-prompt', '1', '--specialist', 'me'],
        ['plan', 'complete-prompt', '1'],
        ['review', '1', '--agent', 'scripted'],
      ]) {
        const { code, stdout } = await place.call(...args);
        expect([code, JSON.parse(stdout)]).toMatchObject([
          3,
          {
            status: 'error',
            error: { type: 'needs_approval' },
            data: { untrusted: [{ name: 'plan:shop', state: 'new' }] },
          },
        ]);
      }
      expect(await place.inbox()).toHaveLength(1);
      expect((await place.call('plan', 'read-prompt', '1', '--trust')).code).toBe(0);
      expect((await place.call('plan', 'start-prompt', '1', '--specialist', 'me')).code).toBe(0);
      expect(await place.inbox()).toEqual([]);
    },
    LONG,
  );

  test(
    'BIND-12 a program gets a project’s protocol only if it is trusted; a built-in one always',
    async () => {
      const place = clone({ '.claude/protocols/release.yaml': 'name: release\nsteps:\n  1: Ship it\n' });
      const { code, stderr } = await place.call('protocol', 'release');
      expect([code, stderr]).toEqual([3, expect.stringContaining('.claude/protocols/release.yaml (new)')]);
      expect((await place.call('protocol', 'debugging')).code).toBe(0);
      expect((await place.call('protocol', '--lint')).code).toBe(0);
      expect((await place.call('protocol', 'release', '--trust')).stdout).toContain('Ship it');
    },
    LONG,
  );

  test(
    'BIND-12 run --dry-run and plan show print every gate command, and ask nothing',
    async () => {
      const place = clone({}, [
        { id: '1', gate: 'npm test -- --all' },
        { id: '2', gate: 'make  check', dependsOn: ['1'] },
      ]);
      for (const args of [
        ['run', 'plans/shop', '--dry-run'],
        ['plan', 'show', 'plans/shop'],
      ]) {
        const { code, stdout } = await place.call(...args);
        expect(code).toBe(0);
        expect(stdout).toContain('check: npm test -- --all');
        expect(stdout).toContain('check: make  check');
      }
      expect(await place.inbox()).toEqual([]);
    },
    LONG,
  );

  test(
    'BIND-12 fermata trust lists and revokes, and reports unknown names',
    async () => {
      const place = clone({ 'fermata.config.json': LEVELS });
      expect((await place.call('trust', '--trust')).stdout).toContain('Everything here is trusted.');
      expect((await place.call('trust', '--list')).stdout).toMatch(/config +trusted +[0-9a-f]{16} +tester/);
      expect((await place.call('trust', '--revoke', 'config')).stdout).toBe('config is no longer trusted.\n');
      const again = await place.call('trust', '--revoke', 'config');
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('"config" is not trusted')]);
      place.put('fermata.config.json', '{"hilConfig":"major_only"}');
      rmSync(join(place.cwd, 'plans/shop'), { recursive: true });
      expect(await place.list()).toMatchObject([
        { name: 'config', state: 'new', by: null },
        { name: 'plan:shop', state: 'gone' },
      ]);
    },
    LONG,
  );

  test.each([
    [
      'a prompt that is a link out of the repository',
      '.claude/fermata/prompts/coder.md',
      '/etc/hostname',
      /coder\.md is a link to something outside/,
    ],
    [
      'a protocol that is a link out of the repository',
      '.claude/protocols/implementation.yaml',
      '/etc/hostname',
      /link to something outside its folder/,
    ],
    [
      'an agent file that is a link out of the repository',
      '.mcp.json',
      '/etc/hostname',
      /\.mcp\.json is a link to something outside/,
    ],
  ])(
    'BIND-12 %s gets a clear error',
    async (_, path, target, sentence) => {
      const place = clone();
      mkdirSync(dirname(join(place.cwd, path)), { recursive: true });
      symlinkSync(target, join(place.cwd, path));
      const { code, stderr } = await place.run('--trust');
      expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
    },
    LONG,
  );

  test.each([
    ['that is not JSON', (path: string) => writeFileSync(path, '{')],
    ['with a wrong value', (path: string) => writeFileSync(path, '{"project":"a b","hilConfig":"full"}')],
    ['that is too large', (path: string) => writeFileSync(path, ' '.repeat(2 * 1024 * 1024))],
    ['that is a folder', (path: string) => mkdirSync(path)],
    ['that is a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['that is a link in a circle', (path: string) => symlinkSync(path, path)],
  ])(
    'BIND-25 a fermata.config.json %s stops no command and cannot be trusted',
    async (_, make) => {
      const place = clone();
      make(join(place.cwd, 'fermata.config.json'));
      const works = async (...args: string[]) => {
        const { code, stderr } = await place.call(...args);
        expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
        return stderr;
      };
      const asked = await place.call('ask', 'Go?', '-o', 'Yes', '-o', 'No', '--timeout', '0.01');
      expect(asked.code, asked.stderr).toBe(3);
      const [question] = await place.inbox();
      await works('answer', question.id, 'Yes');
      for (const args of [['inbox'], ['tasks', 'list'], ['tasks', 'add', 'x'], ['decisions', 'list']])
        expect(await works(...args)).not.toContain('fermata.config.json');
      for (const args of [['config'], ['trust', '--list'], ['trust', '--trust']])
        expect(await works(...args)).toContain('Until it is valid and trusted, it has no effect.');
      expect(await place.list()).toMatchObject([{ name: 'plan:shop', state: 'trusted' }]);
      const run = await place.run();
      expect(run.code, run.stderr).toBe(0);
      expect(run.stderr).toContain('Until it is valid and trusted, it has no effect.');
    },
    LONG,
  );

  test(
    'BIND-10 a hostile file neither lowers a level nor takes over another project before it is trusted',
    async () => {
      const victim = planRepository([{ id: '1' }]);
      const asked = await fermata(
        ['ask', 'Secret plans?', '--timeout', '0.01', '--project', 'victim'],
        victim.at,
      );
      expect(asked.code, asked.stderr).toBe(3);
      const place = clone({ 'fermata.config.json': '{"project":"victim","hilConfig":"full"}' });
      const at = { ...place.at, env: { ...place.at.env, FERMATA_HOME: victim.at.env?.FERMATA_HOME } };
      const inbox = await fermata(['inbox', '--json'], at);
      expect(JSON.parse(inbox.stdout).notifications).toEqual([]);
      expect(inbox.stderr).toContain('have not trusted that file yet');
      const agent = { ...at, env: { ...at.env, FERMATA_AGENT: 'claude', FERMATA_TRUST: '1' } };
      expect(JSON.parse((await fermata(['inbox', '--json'], agent)).stdout).notifications).toEqual([]);
      const levels = JSON.parse((await fermata(['config', 'hilConfig', '--json'], at)).stdout);
      expect(levels.settings.hilConfig.from).toBe('default');
    },
    LONG,
  );
});
