import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata, freshFolder } from '../support/fermata.ts';

function place(config?: string | object) {
  const cwd = freshFolder();
  const file = join(cwd, 'fermata.config.json');
  if (config !== undefined) writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
  const home = join(cwd, '..', 'home');
  return { cwd, file, home, env: { FERMATA_HOME: home } };
}

type Place = ReturnType<typeof place>;

async function settings(at: Place, ...args: string[]) {
  const { code, stdout } = await fermata(['config', '--json', ...args], at);
  expect(code).toBe(0);
  return JSON.parse(stdout).settings as Record<string, { value: unknown; from: string }>;
}

const set = (at: Place, name: string, value: string) => fermata(['config', 'set', name, value], at);

describe('CLI-config', () => {
  test('LED-10 shows each value with its origin, and the sentence of each level word for word', async () => {
    const at = place();
    expect(await settings(at)).toEqual({
      home: { value: at.home, from: 'FERMATA_HOME' },
      remote: { value: 'none', from: 'default' },
      store: { value: join(at.home, 'ledger.db'), from: 'default' },
      project: {
        value: { id: expect.stringMatching(/^p-\w{12}$/), name: 'project', root: at.cwd },
        from: 'folder',
      },
      hilConfig: {
        value: {
          scopeChanges: 'requires_approval',
          architectureDecisions: 'requires_approval',
          dependencyModifications: 'notify_and_proceed',
        },
        from: 'default',
        preset: 'custom',
      },
      'hilConfig.scopeChanges': {
        value: 'requires_approval',
        from: 'default',
        sentence: 'Confirm all changes before proceeding',
      },
      'hilConfig.architectureDecisions': {
        value: 'requires_approval',
        from: 'default',
        sentence: 'Confirm all changes before proceeding',
      },
      'hilConfig.dependencyModifications': {
        value: 'notify_and_proceed',
        from: 'default',
        sentence: 'Notify user but proceed',
      },
      reviewer: { value: null, from: 'default' },
      embedder: { value: null, from: 'default' },
    });
    const text = (await fermata(['config', 'show', 'hilConfig'], at)).stdout.split('\n');
    expect(text[2]).toMatch(
      /^hilConfig\.scopeChanges +requires_approval: Confirm all changes before proceeding +default$/,
    );
  });

  test('LED-10 set writes a preset or one level to the ledger, with its event', async () => {
    const at = place();
    expect((await set(at, 'hilConfig', 'major_only')).code).toBe(0);
    expect((await settings(at)).hilConfig).toMatchObject({ from: 'ledger', preset: 'major_only' });
    expect((await set(at, 'hilConfig.scopeChanges', 'automated')).code).toBe(0);
    expect((await settings(at)).hilConfig).toMatchObject({
      value: {
        scopeChanges: 'automated',
        architectureDecisions: 'requires_approval',
        dependencyModifications: 'automated',
      },
      preset: 'custom',
    });
    const { events } = JSON.parse((await fermata(['events', '--json'], at)).stdout);
    expect(events.map((event: { type: string }) => event.type)).toEqual([
      'settings.updated',
      'settings.updated',
    ]);
  });

  test('LED-10 an agent may not set anything', async () => {
    const at = place();
    const agent = { ...at, env: { ...at.env, FERMATA_AGENT: 'claude' } };
    const { code, stderr } = await set(agent, 'hilConfig', 'full');
    expect(code).toBe(1);
    expect(stderr).toContain('An agent may not change');
    expect((await settings(at)).hilConfig).toMatchObject({ from: 'default' });
  });

  test("LED-10 BIND-10 a person's own level goes before the trusted file, which goes before the default", async () => {
    const at = place({ hilConfig: { scopeChanges: 'automated', architectureDecisions: 'automated' } });
    expect((await set(at, 'hilConfig.scopeChanges', 'requires_approval')).code).toBe(0);
    const after = await settings(at);
    expect(after['hilConfig.scopeChanges']).toMatchObject({ value: 'requires_approval', from: 'ledger' });
    expect(after['hilConfig.architectureDecisions']).toMatchObject({ value: 'automated', from: at.file });
    expect(after['hilConfig.dependencyModifications']).toMatchObject({ from: 'default' });
    expect(after.hilConfig).toMatchObject({ from: `ledger and ${at.file} and default` });
  });

  test('LED-10 shows the reviewer and the embedder that apply, without a key', async () => {
    const at = place();
    const reviewer = { agent: 'codex', model: 'large' };
    writeFileSync(join(at.cwd, 'fermata.config.json'), JSON.stringify({ reviewer }));
    const url = 'http://127.0.0.1:9/v1/embeddings';
    const env = { ...at.env, FERMATA_EMBEDDER_URL: url, FERMATA_EMBEDDER_KEY: 'secret-key' };
    const ask = async (more: object) =>
      (await fermata(['config'], { ...at, env: { ...env, ...more } })).stdout;
    const text = await ask({ FERMATA_EMBEDDER_MODEL: 'small' });
    expect(text).toMatch(/^reviewer +codex large +.*fermata\.config\.json$/m);
    expect(text).toMatch(new RegExp(`^embedder +${url} small +FERMATA_EMBEDDER_URL$`, 'm'));
    expect(text).not.toContain('secret-key');
    expect(await ask({})).toMatch(/^embedder +– +FERMATA_EMBEDDER_URL must be/m);
  });

  test('BIND-10 an untrusted file sets nothing; what it would set is shown', async () => {
    const trusting = place({ project: 'somebody-elses', hilConfig: 'full' });
    const at = { ...trusting, env: { ...trusting.env, FERMATA_TRUST: undefined } };
    const { stdout, stderr } = await fermata(['config', '--json'], at);
    const shown = JSON.parse(stdout);
    expect(shown.settings.hilConfig).toMatchObject({ from: 'default' });
    expect(shown.settings.project.value.name).toBe('project');
    expect(shown.untrusted).toEqual({
      file: at.file,
      state: 'new',
      settings: { project: 'somebody-elses', hilConfig: 'full' },
    });
    expect(stderr).toContain('have not trusted that file yet');
    expect((await fermata(['config'], at)).stderr).toContain(
      `${at.file} has no effect until you trust it. It would set {"project":"somebody-elses","hilConfig":"full"}.`,
    );
    await fermata(['config'], trusting);
    writeFileSync(at.file, '{"hilConfig":"full"}');
    const changed = await fermata(['config', '--json'], at);
    expect(JSON.parse(changed.stdout)).toMatchObject({
      settings: { project: { value: { name: 'somebody-elses' } } },
      untrusted: { state: 'changed', settings: { hilConfig: 'full' } },
    });
  });

  test('a flag overrides the environment, which overrides the file, which overrides the default', async () => {
    const at = place({ project: 'from-file' });
    expect(await settings(at)).toMatchObject({
      project: { value: { name: 'from-file' }, from: at.file },
    });
    const env = { ...at.env, FERMATA_STORE: 'from-env.db', FERMATA_PROJECT: 'from-env' };
    expect(await settings({ ...at, env })).toMatchObject({
      store: { value: join(at.cwd, 'from-env.db'), from: 'FERMATA_STORE' },
      project: { value: { name: 'from-env' }, from: 'FERMATA_PROJECT' },
    });
    expect(await settings({ ...at, env }, '--store', 'from-flag.db')).toMatchObject({
      store: { value: join(at.cwd, 'from-flag.db'), from: '--store' },
    });
  });

  test('a store that cannot be reached does not hide the settings, nor show its password', async () => {
    const at = place();
    const store = 'postgres://me:hunter2@127.0.0.1:1/db';
    const { code, stdout, stderr } = await fermata(['config', '--json'], {
      ...at,
      env: { ...at.env, FERMATA_STORE: store },
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).settings.store).toEqual({
      value: 'postgres://me:…@127.0.0.1:1/db',
      from: 'FERMATA_STORE',
    });
    expect(stderr).toContain('Cannot reach the ledger');
    expect(stdout + stderr).not.toContain('hunter2');
  });

  test('CLI-EXIT-2 show refuses an unknown setting and lists the known ones', async () => {
    const { code, stderr } = await fermata(['config', 'show', 'colour'], place());
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/no setting "colour"\. The settings are home, store/),
    ]);
  });

  test.each([
    ['an unknown preset', 'hilConfig', 'half', 'unknown preset "half". Use confirm_all, major_only, full'],
    [
      'an unknown level',
      'hilConfig.scopeChanges',
      'auto',
      'The levels are automated, notify_and_proceed, requires_approval.',
    ],
    ['an unknown key', 'hilConfig.scopeChange', 'automated', 'Did you mean "hilConfig.scopeChanges"?'],
    ['what is set elsewhere', 'store', 'x.db', 'Set FERMATA_STORE in the environment'],
  ])('CLI-EXIT-2 LED-10 set refuses %s', async (_, name, value, sentence) => {
    const { code, stdout, stderr } = await set(place(), name, value);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });

  test.each([
    ['no JSON', '{\n  "project": demo\n}', "line 2, column 14: not valid JSON (Unexpected token 'd')"],
    [
      'an unknown key',
      '{\n  "hilConfg": "full"\n}',
      'line 2, hilConfg: unknown key. The keys are $schema, project, hilConfig, reviewer, analysis, checks, embedder, synonyms.',
    ],
    [
      'an unknown preset',
      '{"hilConfig": "half"}',
      'line 1, hilConfig: "half" is not allowed. Use confirm_all, major_only, full.',
    ],
    [
      'an unknown level',
      '{\n"hilConfig": {\n"scopeChanges": "auto"}}',
      'line 3, hilConfig.scopeChanges: "auto" is not allowed. Use automated',
    ],
    ['a store', '{"store": "postgres://me:hunter2@db/x"}', 'line 1, store: unknown key.'],
  ])(
    'LED-10 BIND-25 fermata.config.json with %s is told with file, line and field, and has no effect',
    async (_, text, sentence) => {
      const at = place(text);
      expect((await fermata(['tasks', 'list', '--json'], at)).code).toBe(0);
      const { code, stdout, stderr } = await fermata(['config', '--json'], at);
      expect(code).toBe(0);
      expect(JSON.parse(stdout).untrusted).toMatchObject({
        state: 'new',
        settings: {},
        problem: expect.stringContaining(`${at.file}, ${sentence}`),
      });
      expect((await fermata(['config'], at)).stderr).toContain(`${at.file}, ${sentence}`);
      expect(stdout + stderr).not.toContain('hunter2');
      expect(readFileSync(at.file, 'utf8')).toBe(text);
    },
  );
});
