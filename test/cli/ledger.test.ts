import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { barePlaces, query, rolePlaces } from '../ledger/support/role-places.ts';
import { fermata, startFermata } from '../support/fermata.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { sh } from '../work/support/repository.ts';
import { planRepository } from './run/support/plan-repository.ts';

const roles = (store: string, ...args: string[]) =>
  fermata(['ledger', 'roles', ...args], { env: { FERMATA_STORE: store } });

describe('fermata ledger roles', () => {
  it('CLI-ledger BIND-24 says what is wrong with its use', async () => {
    const onFile = await fermata(['ledger', 'roles']);
    expect(onFile).toMatchObject({ code: 2, stdout: '' });
    expect(onFile.stderr).toContain('set FERMATA_STORE to postgres://');
    expect(await fermata(['ledger', 'roles', '--grant'])).toMatchObject({ code: 2 });
    const agent = await fermata(['ledger', 'roles', '--apply'], { env: { FERMATA_AGENT: 'coder' } });
    expect(agent).toMatchObject({ code: 1, stdout: '' });
    expect(agent.stderr).toContain('A person has to');
  });

  describe.skipIf(postgresMissing !== undefined)('on PostgreSQL', () => {
    it('CLI-ledger BIND-24 prints the SQL and changes nothing; --apply executes it', async () => {
      const { owner, admin, worker } = await barePlaces();
      const printed = await roles(owner);
      expect(printed).toMatchObject({ code: 0 });
      expect(printed.stdout).toMatch(/^begin;\n.*grant select on .*commit;\n$/s);
      expect(printed.stdout + printed.stderr).not.toMatch(/password/i);
      expect(printed.stderr).toContain('fermata ledger roles --apply');
      expect(await query(admin, "select 1 from pg_tables where schemaname = 'public'")).toEqual([]);
      const applied = await roles(owner, '--apply');
      expect(applied, applied.stderr).toMatchObject({ code: 0 });
      expect(applied.stdout).toContain(`\\password ${new URL(worker).username}`);
      const { stdout } = await roles(owner, '--apply', '--json');
      expect(JSON.parse(stdout)).toMatchObject({
        applied: true,
        owner: new URL(owner).username,
        roles: { worker: new URL(worker).username },
        left: [],
      });
      expect(stdout).not.toContain(new URL(owner).password);
    });

    it('CLI-ledger BIND-24 a role without the right gets a sentence with what to do', async () => {
      const { worker } = await rolePlaces();
      const refused = await roles(worker, '--apply');
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/^fermata: The tables belong to "\w+_owner"/);
      const early = await fermata(['inbox'], { env: { FERMATA_STORE: (await barePlaces()).worker } });
      expect(early).toMatchObject({ code: 1 });
      expect(early.stderr).toContain('fermata ledger roles --apply');
      const doctor = await fermata(['doctor', '--json'], { env: { FERMATA_STORE: worker } });
      const checks: { name: string; status: string }[] = JSON.parse(doctor.stdout).checks;
      expect(checks.find(({ name }) => name === 'ledger')).toMatchObject({ status: 'ok' });
    });

    it('BIND-24 a worker with its role runs a phase through, a person answers it with the hub’s, and a reader sees it', async () => {
      const { hub, worker: store, reader } = await rolePlaces();
      const question = { question: 'Which name?', options: [{ label: 'cart' }, { label: 'basket' }] };
      const place = planRepository(
        [
          {
            id: '1',
            gate: 'test -f out/1.txt',
            steps: [
              { do: 'ask', questions: [question] },
              { do: 'write', path: 'out/1.txt', content: 'one\n' },
            ],
          },
        ],
        { FERMATA_STORE: hub },
      );
      const remote = join(place.cwd, '../shop.git');
      sh(place.cwd, 'clone', '--quiet', '--bare', place.cwd, remote);
      sh(place.cwd, 'remote', 'add', 'origin', remote);
      const queued = await place.run('--queue', '--trust', '--no-review');
      expect(queued, queued.stderr).toMatchObject({ code: 0 });
      const env = { ...place.at.env, FERMATA_HOME: join(place.cwd, '../worker'), FERMATA_STORE: store };
      const worker = startFermata(['worker', '--can', 'scripted'], { env });
      await expect.poll(place.inbox, { timeout: 60_000, interval: 300 }).toHaveLength(1);
      const [asked] = await place.inbox();
      const late = await fermata(['answer', asked?.id ?? '', 'cart'], { env });
      expect(late).toMatchObject({ code: 1 });
      expect(late.stderr).toContain('_hub');
      expect(await fermata(['answer', asked?.id ?? '', 'cart'], place.at)).toMatchObject({ code: 0 });
      const asReader = (...args: string[]) =>
        fermata(args, { ...place.at, env: { ...place.at.env, FERMATA_STORE: reader } });
      const status = async () =>
        JSON.parse((await asReader('tasks', 'list', '--json')).stdout).tasks?.[0]?.status;
      await expect.poll(status, { timeout: 60_000, interval: 300 }).toBe('closed');
      expect(sh(remote, 'show', 'work:out/1.txt')).toBe('one');
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toMatchObject({ code: 0 });
      for (const [command, shown] of Object.entries({
        inbox: /^/,
        'decisions list': /cart/,
        events: /merged|closed/,
      })) {
        const { code, stdout, stderr } = await asReader(...command.split(' '));
        expect(code, stderr).toBe(0);
        expect(stdout).toMatch(shown);
      }
      const added = await asReader('tasks', 'add', 'Mine');
      expect(added).toMatchObject({ code: 1 });
      expect(added.stderr).toContain('permission denied');
    }, 180_000);
  });
});
