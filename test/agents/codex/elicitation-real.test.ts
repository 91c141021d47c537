import { describe, expect, it } from 'vitest';
import { functionCall, message } from '../../support/model/openai-reply.ts';
import { functionOutput } from '../../support/model/openai-request.ts';
import { CODEX_NOW } from '../clis/real-cli.ts';
import { diskServer } from '../support/disk-server.ts';
import { type CodexName, hasCalled, openScene } from './scene.ts';

const TOOLS = ['label', 'pick', 'wipe'] as const;

describe.each(CODEX_NOW)('an MCP server of %s', (name) => {
  it('HEAR-2 HEAR-7 is answered by a person: a form, one that cannot be shown, and one without fields', async ({
    skip,
  }) => {
    const { model, home, stage, row, start } = await openScene(
      name,
      (request) => {
        const tool = TOOLS.find((each) => !hasCalled(request, `call_${each}`));
        return tool ? callOf(name, tool) : message('Done.');
      },
      skip,
    );
    const running = start({}, { args: serverArgs(home.cwd) });
    const label = await stage.asked();
    expect(label.questions).toMatchObject([
      { id: 'label', context: expect.stringContaining('Asked by an MCP server: disk') },
    ]);
    await stage.answer(label.id, 'blue');
    const pick = await stage.asked();
    expect(pick.questions).toMatchObject([
      { text: expect.stringContaining('cannot show'), options: [{ label: 'Decline' }] },
    ]);
    await stage.answer(pick.id, 'Decline');
    const wipe = await stage.asked();
    expect(wipe).toMatchObject({
      source: 'approval',
      questions: [{ verbatim: expect.arrayContaining([{ label: 'server', text: 'disk' }]) }],
    });
    await stage.answer(wipe.id, 'yes');
    const { end } = await running;
    expect(end).toMatchObject({ reason: 'ok', text: 'Done.' });
    const told = (tool: string) => functionOutput(model.requests, `call_${tool}`);
    expect(told('label')).toContain('blue');
    expect(told('pick')).toMatch(/decline/);
    expect(told('wipe')).toMatch(/accept/);
    for (const { id } of [label, pick, wipe]) expect(await row(id)).toMatchObject({ status: 'delivered' });
  });
});

function callOf(name: CodexName, tool: string) {
  return name === 'codex-0.115.0'
    ? functionCall(`call_${tool}`, `mcp__disk__${tool}`, {})
    : functionCall(`call_${tool}`, tool, {}, 'mcp__disk');
}

function serverArgs(folder: string): string[] {
  return Object.entries(diskServer(folder)).flatMap(([key, value]) => [
    '-c',
    `mcp_servers.disk.${key}=${JSON.stringify(value)}`,
  ]);
}
