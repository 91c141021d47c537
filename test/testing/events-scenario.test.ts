import { expect, test } from 'vitest';
import { fromEvents, hasEvents } from '../../src/testing/load-scenario.ts';
import { checkScenario } from '../../src/testing/scenario.ts';

const assistant = (...content: object[]) => ({ type: 'assistant', message: { content } });
const tool = (name: string, input: object) => ({ type: 'tool_use', id: `toolu_${name}`, name, input });

test('SEED-3 a scenario that lists events becomes one with steps', () => {
  const scenario = {
    counter_path: '/tmp/counter',
    invocations: [
      {
        raw_lines: ['no JSON'],
        initial_delay_ms: 5,
        execute_tools: true,
        exit_code: 3,
        token_config: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 0 },
        events: [
          { type: 'system', uuid: 'u' },
          { type: 'system', subtype: 'init', session_id: 's-1' },
          assistant({ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'Hello' }),
          assistant(tool('Write', { file_path: 'a.txt', content: 'A' }), tool('Bash', { command: 'ls' })),
          assistant(tool('AskUserQuestion', { questions: ['Which?'] })),
          { type: 'user', message: { content: 'x' } },
          { type: 'result', message: { content: 'Cost: $0.0010' } },
        ],
      },
      { events: [assistant(tool('Write', { file_path: 'a.txt', content: 'A' }))], crash_after_events: 1 },
    ],
  };
  expect(hasEvents(scenario)).toBe(true);
  const ours = fromEvents(scenario, 'f');
  expect(checkScenario(ours, 'f')).toMatchObject({
    behaves: 'seed',
    state: '/tmp/counter.state',
    invocations: [
      {
        sessionId: 's-1',
        exitCode: 3,
        usage: { inputTokens: 1, outputTokens: 2 },
        steps: [
          { do: 'wait', ms: 5 },
          { do: 'raw', line: 'no JSON' },
          { do: 'think', text: 'hm' },
          { do: 'say', text: 'Hello' },
          { do: 'write', path: 'a.txt', content: 'A' },
          { do: 'run', command: 'ls' },
          { do: 'ask', questions: ['Which?'] },
          { do: 'event' },
        ],
      },
      {
        steps: [
          { do: 'use', tool: 'Write' },
          { do: 'exit', code: 1 },
        ],
      },
    ],
  });
});

test('SEED-3 our own scenarios are not converted, and errors name their place', () => {
  expect(hasEvents({ invocations: [{ steps: [] }] })).toBe(false);
  const broken = { counter_path: 'c', invocations: [{ events: [{}] }] };
  expect(() => fromEvents(broken, 'f')).toThrow('f lists events, but invocations.0.events.0.type is wrong');
});
