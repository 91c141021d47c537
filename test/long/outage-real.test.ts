import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLAUDE_NOW } from '../agents/clis/real-cli.ts';
import { failingModel } from '../cli/support/failing-model.ts';
import { killBoth, Person, signalAgent, until } from '../cli/support/person.ts';
import { PLAN } from '../plan/convert/support/plans.ts';
import { fermata } from '../support/fermata.ts';

describe.each(CLAUDE_NOW)('HEAR-5 fermata draft with the real %s', (name) => {
  it('HEAR-4 an answer survives a kill of the agent, of both, a refused key and an outage: one session, and nobody is asked again', async ({
    skip,
  }) => {
    const failing = await failingModel(name, skip, PLAN);
    const draft = failing.start('draft', 'A shop', '--adaptive', ...failing.by);
    const person = new Person(await failing.ledger());
    const asked = await person.asked();
    const [run] = await person.runs();
    // Its model is silent, so the agent is still alive when it is killed.
    failing.hold(true);
    await person.answer(asked);
    await person.delivered(asked);
    let said = '';
    draft.child.stderr?.on('data', (chunk: string) => (said += chunk));
    signalAgent('SIGKILL', draft, failing.at.cwd);
    await until(async () => said.includes('was killed by SIGKILL') || undefined, 20);
    const before = failing.requests.length;
    await until(async () => failing.requests[before], 20); // it resumes the agent by itself
    await killBoth(draft, failing.at.cwd);
    failing.hold(false);

    failing.fail(401, 1);
    const refused = await fermata(['draft', '--resume'], failing.at);
    const [waiting] = await person.runs();
    expect([refused.code, waiting?.status], refused.stderr).toEqual([4, 'waiting']);
    expect(refused.stderr).toContain('Invalid API key');
    expect(refused.stderr).toContain(`Nothing is lost. Continue with: fermata draft --resume ${run?.taskId}`);

    failing.fail(500, 1);
    const { code, stderr } = await fermata(['draft', '--resume'], failing.at);
    expect(code, stderr).toBe(0);
    expect(stderr.match(/The session is kept; Fermata will retry\./g)).toHaveLength(1);
    const [again, ...others] = await person.runs();
    expect([again?.sessionId, again?.status, others]).toEqual([run?.sessionId, 'ended', []]);
    expect([failing.asks(), (await person.rows()).length, failing.answers()]).toEqual([1, 1, 1]);
    expect(existsSync(join(failing.at.cwd, 'plans', 'a-shop', 'MASTER_PLAN.md'))).toBe(true);
  });
});
