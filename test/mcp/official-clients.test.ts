import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Ledger, openLedger } from '../../src/index.ts';
import { testHub } from '../hub/support/hub.ts';
import { tokenFor } from '../hub/support/start.ts';
import { freshFolder } from '../support/fermata.ts';
import { spread } from '../support/long.ts';
import { connectOfficial, GENERATIONS } from './support/official.ts';

const ann = { actor: { kind: 'person', name: 'ann' }, channel: 'command' } as const;
const question = { question: 'Which?', options: ['A', 'B'] };

/** The person's side: the open question once it is there, and an answer to it. */
async function personAt(place: string) {
  const ledger = await openLedger(place);
  onTestFinished(() => ledger.close());
  const open = async () => {
    const [asked] = (await ledger.notifications.list()).notifications;
    return asked;
  };
  const asked = () => expect.poll(open).toBeDefined().then(open);
  const answer = async (value: string) => {
    const { projectId = '', id = '', questions } = (await asked()) ?? {};
    const responses = [{ questionId: questions?.[0]?.id ?? '', answer: value }];
    await ledger.notifications.resolve(projectId, id, { responses }, ann);
    return id;
  };
  return { ledger, asked, answer };
}

const all = async ({ notifications }: Ledger) =>
  (await notifications.list({ status: ['open', 'answered', 'delivered', 'withdrawn'] })).notifications;

describe.each(spread(GENERATIONS))('CLI-mcp the official $client at $version', (generation) => {
  test('works over stdio: version, descriptions, progress, forms, and a client that gives up and comes back', async ({
    skip,
  }) => {
    const cwd = freshFolder();
    const env = { FERMATA_HOME: join(cwd, '..', 'home') };
    const client = await connectOfficial(generation, { cwd, env }, skip);
    expect(client.version).toBe(generation.version);
    const tools = await client.tools();
    const described = tools.map(({ name, title, annotations: { readOnlyHint, idempotentHint } }) => [
      name,
      title,
      readOnlyHint,
      idempotentHint ?? false,
    ]);
    expect(described).toEqual([
      // After its answer was delivered, the same call asks again.
      ['ask_human', 'Ask a person', true, false],
      ['permission', 'Ask for permission', true, false],
      ['list_questions', 'List your questions', true, true],
      ['get_answer', 'Get an answer', true, true],
      ['report_progress', 'Report progress', false, false],
    ]);
    const person = await personAt(join(env.FERMATA_HOME, 'ledger.db'));

    await expect(client.call('ask_human', question, { timeout: 1 })).rejects.toThrow(/timed out/i);
    const given = await person.asked();
    let heard = '';
    const again = client.call('ask_human', question, { onprogress: ({ message = '' }) => (heard = message) });
    await expect.poll(() => heard).toContain(given?.id);
    const id = await person.answer('B');
    expect(id).toBe(given?.id);
    // The client has checked it against the output schema.
    expect(await again).toMatchObject({
      content: [{ type: 'text', text: 'B' }],
      structuredContent: { answer: 'B', outcome: 'answered', id },
    });
    expect(await all(person.ledger)).toHaveLength(1);
    expect((await client.call('get_answer', { id })).structuredContent).toMatchObject({
      id,
      outcome: 'answered',
    });
    expect((await client.call('list_questions', {})).structuredContent).toMatchObject({
      questions: [{ id }],
    });
    expect(await client.call('ask_human', {})).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^ask_human, field question: /) }],
    });
    await client.close();

    const onForm = ({ requestedSchema }: { requestedSchema: { properties: object } }) => {
      const [field = ''] = Object.keys(requestedSchema.properties);
      return { action: 'accept', content: { [field]: 'A' } };
    };
    const withForms = await connectOfficial(generation, { cwd, env, onForm }, skip);
    const filled = await withForms.call('ask_human', { ...question, question: 'In the client?' });
    expect(filled.structuredContent).toMatchObject({ answer: 'A', outcome: 'answered' });
    expect(await person.ledger.notifications.find(filled.structuredContent.id)).toMatchObject({
      resolvedBy: { actor: { kind: 'person' }, channel: 'mcp' },
    });
  });

  test('works over HTTP: an agent gives up, its hub stops, and it gets the answer at another hub, asked once', async ({
    skip,
  }) => {
    const place = `${freshFolder('mcp')}/ledger.db`;
    const person = await personAt(place);
    const { id: project } = await person.ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    const [first, second] = [await testHub({ place }), await testHub({ place })];
    const { secret: token, name } = await tokenFor(first, 'agent', project);
    const onForm = () => ({ action: 'accept', content: { q1: 'A' } });
    const at = (hub: { url: string }) =>
      connectOfficial(generation, { url: `${hub.url}/projects/${project}/mcp`, token, onForm }, skip);
    const client = await at(first);
    expect(client.version).toBe(generation.version);
    expect(await client.tools()).toHaveLength(5);
    await expect(client.call('ask_human', question, { timeout: 1 })).rejects.toThrow(/timed out/i);
    let heard = '';
    const waiting = client.call('ask_human', question, {
      onprogress: ({ message = '' }) => (heard = message),
    });
    const asked = await person.asked();
    expect(asked?.createdBy).toEqual({ actor: { kind: 'agent', name }, channel: 'rest' });
    await expect.poll(() => heard).toContain(asked?.id);
    await first.stop();
    expect(await waiting).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`question ${asked?.id} stays open`) }],
    });
    const later = await at(second);
    const again = later.call('ask_human', question);
    const id = await person.answer('B');
    expect((await again).structuredContent).toEqual({ answer: 'B', outcome: 'answered', id });
    expect(id).toBe(asked?.id);
    // It is marked as delivered once the client has it; no form was shown to an agent.
    await expect
      .poll(() => person.ledger.notifications.get(project, id))
      .toMatchObject({
        status: 'delivered',
        resolvedBy: ann,
      });
    expect(await all(person.ledger)).toHaveLength(1);
  });

  test('HEAR-10 over HTTP, a cancelled call ends at once: nothing counts as delivered, and its permission is withdrawn', async ({
    skip,
  }) => {
    const place = `${freshFolder('mcp')}/ledger.db`;
    const person = await personAt(place);
    await person.ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    // After an abort, fetch keeps a connection open that it does not use, so the hub stops only after `stopMs`.
    const hub = await testHub({ place }, { limits: { mcpCallsPerToken: 1, stopMs: 100 } });
    const { secret: token } = await tokenFor(hub, 'agent', 'p');
    const client = await connectOfficial(generation, { url: `${hub.url}/projects/p/mcp`, token }, skip);
    const cancelled = async (tool: string, args: object, reason: string) => {
      const giveUp = new AbortController();
      const call = client.call(tool, args, { signal: giveUp.signal });
      const { id = '' } = (await person.asked()) ?? {};
      giveUp.abort(reason);
      await expect(call).rejects.toThrow();
      // The token may have only one open call, so the next one works once this one has ended.
      await expect.poll(() => client.call('list_questions', {}).catch(() => undefined)).toBeDefined();
      return id;
    };
    const outcome = async (id: string) => (await person.ledger.notifications.get('p', id)).outcome;

    const id = await cancelled('ask_human', question, 'Request timed out');
    await person.answer('B');
    expect(await client.call('ask_human', question)).toMatchObject({
      structuredContent: { answer: 'B', id },
    });
    expect(await all(person.ledger), 'asked once').toHaveLength(1);

    const bash = { tool_name: 'Bash', input: { command: 'ls' } };
    const permission = await cancelled('permission', bash, 'Request timed out');
    await expect.poll(() => outcome(permission)).toBe('withdrawn');

    // From 2026-07-28 on, a client over HTTP gives no reason.
    const interrupted = await cancelled('ask_human', { question: 'And now?' }, 'interrupted');
    const expected = generation.version === '2025-11-25' ? 'withdrawn' : undefined;
    await expect.poll(() => outcome(interrupted)).toBe(expected);
  });
});
