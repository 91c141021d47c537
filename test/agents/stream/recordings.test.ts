import { describe, expect, it } from 'vitest';
import { agentKinds } from '../../../src/agents/stream/events.ts';
import { inspectRun } from '../../../src/agents/stream/inspect-run.ts';
import type { RunView } from '../../../src/agents/stream/view.ts';
import { asks, assistant, fixture, heard, init, lines, read } from './support/fixture.ts';
import { type Expected, recordings } from './support/recordings.ts';

function outcome(view: RunView): Required<Expected> {
  const { end, questions, turns } = view;
  return { ...inspectRun(view), end, states: questions.map(({ state }) => state), turns };
}

describe('a recorded run', () => {
  it.each(recordings)('%s: %s', (name, _, expected) => {
    const view = read(fixture(name));
    expect(outcome(view)).toMatchObject({ skipped_lines: 0, ...expected });
    // `toMatchObject` would let more questions and options pass.
    if (expected.questions) expect(inspectRun(view).questions).toEqual(expected.questions);
  });

  it.each(recordings)(
    '%s gives the same result if the agent is named, with extra spaces, or read in full',
    (name) => {
      const compact = fixture(name).toString();
      const spaced = compact.replaceAll(/("(?:[^"\\]|\\.)*")|([:,])/g, (_, text, mark) => text ?? `${mark} `);
      const view = read(compact);
      const from = agentKinds.find((kind) => name.startsWith(`${kind}-`));
      if (from) expect(read(compact, { from })).toEqual(view);
      expect(read(spaced)).toEqual(view);
      expect(read(compact, { skipsLines: false })).toEqual(view);
    },
  );
});

describe('lineage, cost and other fields of a view', () => {
  it('STR-4 sub-agents that claim to have started each other do not cause an endless loop', () => {
    const tool = (id: string, parent: string) =>
      assistant([{ type: 'tool_use', id, name: 'Task', input: {} }], { parent_tool_use_id: parent });
    const view = read(
      lines(
        init(),
        tool('a', 'b'),
        tool('b', 'a'),
        asks('q', { questions: ['Why?'] }, { parent_tool_use_id: 'a' }),
      ),
    );
    expect(view.questions[0]?.lineage).toEqual(['b', 'a']);
  });

  it('STR-4 the lineage of a question goes from the outermost sub-agent to the one that asked', () => {
    expect(read(fixture('claude-sub-agent')).questions[0]?.lineage).toEqual(['task-1', 'task-2']);
    expect(read(fixture('codex-sub-agent')).questions[0]?.lineage).toEqual(['sub-1']);
  });

  it('STR-5 the cost is that of the process, not the sum over its turns', () => {
    expect(read(fixture('claude-two-turns')).usage.costUsd).toBeCloseTo(0.3);
    const twice = Buffer.concat([fixture('claude-two-turns'), fixture('claude-two-turns')]);
    expect(read(twice).usage).toMatchObject({
      costUsd: expect.closeTo(0.6),
      inputTokens: 60,
      outputTokens: 24,
    });
  });

  it('STR-5 Codex exec reports the cost of the session so far, so the last figure counts', () => {
    const twice = Buffer.concat([fixture('codex-exec'), fixture('codex-exec')]);
    expect(read(twice)).toMatchObject({
      turns: 2,
      usageOf: 'session',
      usage: { inputTokens: 30, outputTokens: 9 },
    });
  });

  it('reports model, version and tools of the agent', () => {
    const view = read(fixture('claude-allow-answers'));
    expect(view).toMatchObject({ model: 'model-1', version: '9.8.7', tools: ['Bash', 'AskUserQuestion'] });
    expect(read(fixture('codex-exec'))).toMatchObject({ tools: null, warnings: ['Nothing bad.'] });
  });

  it('STR-3 a question names the request that an answer has to name, and repeats its input', () => {
    const { events } = heard(fixture('claude-allow-answers'));
    const questions = events.filter((event) => event.type === 'question');
    expect(questions.map(({ place, requestId }) => [place, requestId])).toEqual([
      ['tool_use', undefined],
      ['request', 'r-1'],
    ]);
    expect(questions[1]?.input).toMatchObject({ questions: [{ question: 'Which colour?' }, {}] });
    expect(events).toContainEqual({ type: 'tool-result', toolUseId: 'ask-1', isError: false });
  });

  it('a permission, another request, a cancelled one and a response each have their own event', () => {
    const types = (name: string) => heard(fixture(name)).events.map((event) => event.type);
    expect(types('claude-parallel-asks')).toContain('permission');
    expect(types('claude-interrupted')).toEqual(expect.arrayContaining(['request-closed', 'response']));
    const permissions = heard(fixture('codex-approval')).events.filter(
      (event) => event.type === 'permission',
    );
    expect(permissions).toMatchObject([
      { requestId: 0, toolUseId: 'call-1', tool: 'Bash', reason: 'May I?' },
      { requestId: 1, tool: 'form', reason: 'Allow it?' },
    ]);
  });
});
