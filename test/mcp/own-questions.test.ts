import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata, freshFolder } from '../support/fermata.ts';
import { hello, serveMcp } from './support/serve.ts';

type Server = ReturnType<typeof serveMcp>;

const tool = async ({ call }: Server, name: string, args: object = {}) => {
  const { content, isError } = (await call('tools/call', { name, arguments: args })).result;
  return isError ? { refused: content[0].text as string } : JSON.parse(content[0].text);
};

async function asking(server: Server, question: string): Promise<string> {
  await server.call('initialize', hello);
  server.client.send({
    jsonrpc: '2.0',
    id: question,
    method: 'tools/call',
    params: { name: 'ask_human', arguments: { question } },
  });
  return (await server.asked(question)).id;
}

describe('CLI-mcp the questions of an agent (HUB-3)', () => {
  test('it sees its own, even after a restart, but not those of others or their answers', async () => {
    const claude = serveMcp([], { FERMATA_AGENT: 'claude' });
    const codex = serveMcp([], { cwd: claude.cwd, FERMATA_AGENT: 'codex' });
    const mine = await asking(claude, 'Mine?');
    const theirs = await asking(codex, 'Theirs?');
    const ids = async (server: Server) =>
      (await tool(server, 'list_questions')).map(({ id }: { id: string }) => id);
    expect(await ids(claude)).toEqual([mine]);
    expect(await ids(codex)).toEqual([theirs]);
    expect((await claude.answer(theirs, 'A secret')).code).toBe(0);
    const told = await tool(claude, 'get_answer', { id: theirs });
    expect(told).toEqual({ refused: `You have no question ${theirs}. Call list_questions to see yours.` });
    const unknown = await tool(claude, 'get_answer', { id: 'n-0' });
    expect(unknown).toEqual({ refused: 'You have no question n-0. Call list_questions to see yours.' });
    expect(await tool(claude, 'get_answer', { id: mine })).toMatchObject({ status: 'open' });
    await claude.client.end();
    const again = serveMcp([], { cwd: claude.cwd, FERMATA_AGENT: 'claude' });
    await again.call('initialize', hello);
    expect(await ids(again)).toEqual([mine]);
    expect((await claude.answer(mine, 'Yes')).code).toBe(0);
    expect(await tool(again, 'get_answer', { id: mine })).toMatchObject({ responses: [{ answer: 'Yes' }] });
  });

  test('the same agent in the worktree of another task sees only what is for that task', async () => {
    const place = freshFolder();
    const at = { cwd: place, env: { FERMATA_HOME: join(place, '..', 'home') } };
    for (const task of ['a', 'b']) await fermata(['tasks', 'add', task, '--id', task], at);
    const one = serveMcp(['--task', 'a'], { cwd: place, FERMATA_AGENT: 'claude' });
    const id = await asking(one, 'Which?');
    const cwd = join(one.cwd, 'other');
    mkdirSync(cwd);
    const elsewhere = { cwd, FERMATA_HOME: one.env.FERMATA_HOME, FERMATA_AGENT: 'claude' };
    const [two, same] = [serveMcp(['--task', 'b'], elsewhere), serveMcp(['--task', 'a'], elsewhere)];
    for (const server of [two, same]) await server.call('initialize', hello);
    expect(await tool(two, 'list_questions')).toEqual([]);
    expect(await tool(two, 'get_answer', { id })).toHaveProperty('refused');
    expect(await tool(same, 'get_answer', { id })).toMatchObject({ status: 'open' });
  });
});
