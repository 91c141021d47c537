import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODEXES } from '../agents/clis/real-cli.ts';
import { askAsSub, hasCalled, isSub, openScene, spawn } from '../agents/codex/scene.ts';
import { functionCall, message } from '../support/model/openai-reply.ts';
import { functionOutput } from '../support/model/openai-request.ts';
import { delay } from '../support/model/script.ts';

const LOOK = 'SUB: look at the parser';
const LONG_MS = 30_000;

describe.each(CODEXES)('HEAR-1 long background work of %s', (name) => {
  it('HEAR-1 30 s of a command and of a sub-agent, which then asks: it gets its answer, and the run lasts until both are done', async ({
    skip,
  }) => {
    const build = { cmd: 'sleep 30; touch built.txt', yield_time_ms: 250 };
    const { model, home, stage, row, start } = await openScene(
      name,
      (request) => {
        if (isSub(request, LOOK))
          return hasCalled(request, 'call_look')
            ? message('I looked.')
            : delay(LONG_MS, askAsSub(name, 'call_look', 'Which parser?'));
        if (!hasCalled(request, 'call_build')) return functionCall('call_build', 'exec_command', build);
        return hasCalled(request, 'call_spawn')
          ? message('Both are at it.')
          : spawn(name, 'call_spawn', LOOK);
      },
      skip,
    );
    const began = Date.now();
    const running = start({}, { timeoutMs: 4 * LONG_MS });
    const { id } = await stage.asked();
    expect(Date.now() - began).toBeGreaterThan(LONG_MS);
    await stage.answer(id, 'Zig');
    const { end, run } = await running;
    expect(end).toMatchObject({ reason: 'ok', text: 'Both are at it.', sessionId: run.sessionId });
    expect(functionOutput(model.requests, 'call_look')).toContain('Zig');
    expect(await row(id)).toMatchObject({ status: 'delivered', outcome: 'answered' });
    expect(existsSync(join(home.cwd, 'built.txt'))).toBe(true);
  });
});
