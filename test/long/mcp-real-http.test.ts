import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../src/index.ts';
import { startJsonLines } from '../agents/clis/json-lines.ts';
import { CLAUDES, CODEX, realCli } from '../agents/clis/real-cli.ts';
import { testHub } from '../hub/support/hub.ts';
import { tokenFor } from '../hub/support/start.ts';
import { freshFolder } from '../support/fermata.ts';
import { startAnthropic } from '../support/model/anthropic.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { toolResult } from '../support/model/anthropic-request.ts';
import { claudeHome, codexHome } from '../support/model/cli-home.ts';
import { functionCall, message } from '../support/model/openai-reply.ts';
import { functionOutput } from '../support/model/openai-request.ts';
import { startOpenAi } from '../support/model/openai-responses.ts';

const question = { question: 'Which language?', options: ['Rust', 'Zig'] };

/** A hub with an agent's token, and a person who answers "Zig" to the first question. */
async function hubWithPerson() {
  const place = `${freshFolder('mcp')}/ledger.db`;
  const ledger = await openLedger(place);
  onTestFinished(() => ledger.close());
  await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
  const hub = await testHub({ place });
  const { secret: token } = await tokenFor(hub, 'agent', 'p');
  const answer = async () => {
    const open = async () => (await ledger.notifications.list()).notifications[0];
    await expect.poll(open).toBeDefined();
    const { id = '', questions } = (await open()) ?? {};
    const responses = [{ questionId: questions?.[0]?.id ?? '', answer: 'Zig' }];
    const ann = { actor: { kind: 'person', name: 'ann' }, channel: 'command' } as const;
    await ledger.notifications.resolve('p', id, { responses }, ann);
    return id;
  };
  return {
    url: `${hub.url}/projects/p/mcp`,
    token,
    answer,
    row: (id: string) => ledger.notifications.get('p', id),
  };
}

describe('DRV-7 CLI-mcp real agents ask over HTTP', () => {
  it('Claude Code waits at the hub, and the model has the answer', async ({ skip }) => {
    const program = await realCli(CLAUDES[1], skip);
    const { url, token, answer, row } = await hubWithPerson();
    const tool = 'mcp__fermata__ask_human';
    const model = await startAnthropic([toolUse('toolu_ask', tool, question), text('Zig it is.')]);
    onTestFinished(() => model.stop());
    const home = claudeHome(model.url);
    onTestFinished(() => home.remove());
    const server = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
    const cli = startJsonLines(
      program,
      [
        ...['-p', 'Plan the project.', '--verbose', '--output-format', 'stream-json', '--allowedTools', tool],
        ...['--mcp-config', JSON.stringify({ mcpServers: { fermata: server } })],
      ],
      home,
    );
    const ending = cli.end();
    const id = await answer();
    expect(await ending).toEqual({ code: 0, signal: null });
    expect(toolResult(model.requests, 'toolu_ask')?.text).toContain('"answer":"Zig"');
    await expect.poll(() => row(id)).toMatchObject({ status: 'delivered' });
  });

  it('Codex waits at the hub, and the model has the answer', async ({ skip }) => {
    const program = await realCli(CODEX, skip);
    const { url, token, answer, row } = await hubWithPerson();
    const call = functionCall('call_ask', 'ask_human', question, 'mcp__fermata');
    const model = await startOpenAi([call, message('Zig it is.')]);
    onTestFinished(() => model.stop());
    const home = codexHome(model.url);
    onTestFinished(() => home.remove());
    // Without `required`, the first turn may begin before the server is connected.
    const settings = { url, bearer_token_env_var: 'FERMATA_TOKEN', tool_timeout_sec: 86400, required: true };
    const given = Object.entries(settings).flatMap(([key, value]) => [
      '-c',
      `mcp_servers.fermata.${key}=${JSON.stringify(value)}`,
    ]);
    const cli = startJsonLines(
      program,
      ['exec', '--json', '--skip-git-repo-check', ...given, 'Plan the project.'],
      { ...home, env: { ...home.env, FERMATA_TOKEN: token } },
    );
    const ending = cli.end();
    const id = await answer();
    expect(await ending).toEqual({ code: 0, signal: null });
    expect(functionOutput(model.requests, 'call_ask')).toContain('Zig');
    await expect.poll(() => row(id)).toMatchObject({ status: 'delivered' });
  });
});
