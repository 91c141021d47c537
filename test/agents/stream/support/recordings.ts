import type { InspectedQuestion, Inspection } from '../../../../src/agents/stream/inspect-run.ts';
import { SESSION } from './fixture.ts';

const options = [
  { label: 'Red', description: 'Warm' },
  { label: 'Blue', description: 'Cold' },
];
const colour = { question: 'Which colour?', header: 'Colour', options, multi: false };
const sizes = {
  question: 'Which sizes?',
  header: 'Sizes',
  options: [
    { label: 'Small', description: 'S' },
    { label: 'Large', description: 'L' },
  ],
  multi: true,
};
const asked = (
  id: string | null,
  ...questions: Omit<InspectedQuestion, 'tool_use_id'>[]
): InspectedQuestion[] => questions.map((question) => ({ tool_use_id: id, ...question }));
const usage = (input: number, output: number, read = 0, creation = 0) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: creation,
});

const THREAD = 'aaaaaaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee';
const CHAT = '99999999-8888-4777-8666-555555555555';

export type Expected = Partial<Inspection> & { end?: object; states?: string[]; turns?: number };

/** The expected view of each recording. */
export const recordings: [name: string, title: string, expected: Expected][] = [
  [
    'claude-allow-answers',
    'STR-2 STR-3 STR-5 a question seen as a call, as a request and answered counts once',
    {
      session_id: SESSION,
      result: 'ok',
      questions: asked('ask-1', colour, sizes),
      text: 'Two things first.\n\nRed it is.',
      usage: usage(20, 8),
      states: ['answered'],
      end: { kind: 'ok', text: 'Red it is.' },
    },
  ],
  [
    'claude-print-denied',
    'STR-3 a question that the program refused by itself is kept',
    { result: 'ok', questions: asked('ask-1', colour, sizes), states: ['denied'] },
  ],
  [
    'claude-denied-only',
    'STR-3 questions that only the result names are kept, other tools are not questions',
    {
      questions: [...asked('ask-1', colour), ...asked('ask-2', sizes)],
      states: ['denied', 'denied'],
      text: 'I go on.',
    },
  ],
  [
    'claude-not-offered',
    'STR-3 a call of the tool where it is not offered is still a question',
    { result: 'ok', questions: asked('ask-1', colour), states: ['denied'] },
  ],
  [
    'claude-parallel-asks',
    'STR-3 several questions open at once keep their order',
    {
      questions: [...asked('ask-1', colour), ...asked('ask-2', sizes)],
      states: ['answered', 'answered'],
      usage: usage(20, 8),
    },
  ],
  [
    'claude-two-asks-in-one-message',
    'STR-3 every call of a message counts, not only the first',
    {
      result: 'unfinished',
      questions: [...asked('ask-1', colour), ...asked('ask-2', sizes)],
      states: ['open', 'open'],
      text: 'And: ',
      usage: usage(10, 1),
    },
  ],
  [
    'claude-deferred',
    'STR-3 STR-6 a parked run is no failure, and says on which call it waits',
    {
      result: 'ok',
      questions: asked('ask-1', colour),
      states: ['deferred'],
      end: { kind: 'deferred', toolUseId: 'ask-1' },
    },
  ],
  [
    'claude-deferred-resumed',
    'STR-2 STR-3 after a parked run the question comes before the session',
    { session_id: SESSION, result: 'ok', questions: asked('ask-1', colour), states: ['answered'] },
  ],
  [
    'claude-interrupted',
    'STR-6 an interrupted turn is told apart from a failed one',
    {
      result: 'error',
      questions: asked('ask-1', colour),
      states: ['cancelled'],
      end: { kind: 'interrupted', message: 'broken off' },
      errors: ['broken off'],
    },
  ],
  [
    'claude-sub-agent',
    "STR-4 a sub-agent's words are left out, its question is kept",
    {
      questions: [{ tool_use_id: 'ask-1', parent_tool_use_id: 'task-2', ...colour }],
      text: 'I let somebody look.\n\nSomebody looked.',
      states: ['answered'],
    },
  ],
  [
    'claude-api-error',
    'STR-6 is_error counts, whatever the subtype says',
    {
      result: 'error',
      end: { kind: 'error', message: 'API Error: 400 no', subtype: 'success' },
      errors: ['API Error: 400 no'],
    },
  ],
  [
    'claude-unknown-session',
    'STR-2 STR-6 a run that is nothing but an error has a session and a reason',
    { session_id: SESSION, result: 'error', text: '', errors: ['There is no such session.'] },
  ],
  [
    'claude-killed-while-asking',
    'STR-5 STR-6 a run without a result is unfinished; what its messages cost is known',
    {
      result: 'unfinished',
      questions: asked('ask-1', colour),
      states: ['open'],
      text: 'One thing first.',
      usage: usage(10, 1),
    },
  ],
  [
    'claude-two-turns',
    'STR-5 tokens are summed over the turns of a process',
    { result: 'ok', turns: 2, usage: usage(30, 12), text: 'One.\n\nTwo.', end: { kind: 'ok', text: 'Two.' } },
  ],
  [
    'claude-killed-in-second-turn',
    'STR-5 STR-6 what comes after a result is unfinished again',
    { result: 'unfinished', turns: 1, usage: usage(30, 9), text: 'One.\n\nTwo, and' },
  ],
  [
    'claude-type-not-first',
    'STR-1 STR-6 the order of keys does not matter',
    { session_id: SESSION, result: 'ok', text: 'Done.', usage: usage(20, 8) },
  ],
  [
    'claude-partial-messages',
    'STR-3 STR-5 pieces of a message add nothing but better figures',
    { result: 'unfinished', questions: asked('ask-1', colour), text: '', usage: usage(10, 33) },
  ],
  [
    'claude-asked-again',
    'STR-3 a question that is listed again after a reconnect counts once',
    { questions: asked('ask-1', colour), states: ['answered'] },
  ],
  [
    'claude-elicitation',
    'STR-3 the form of an MCP server is a question',
    {
      questions: asked(null, {
        question: 'Which colour?',
        header: 'Colour',
        options: [{ label: 'Red' }, { label: 'Blue' }],
        multi: false,
      }),
      states: ['answered'],
    },
  ],
  [
    'seed-strings',
    'STR-3 questions may be plain texts',
    {
      result: 'unfinished',
      questions: asked(
        'ask-1',
        { question: 'Which colour?', options: [], multi: false },
        { question: 'Which sizes?', options: [], multi: false },
      ),
    },
  ],
  [
    'codex-exec',
    'STR-2 STR-4 STR-5 codex exec: thread, messages without reasoning, tokens',
    {
      session_id: THREAD,
      result: 'ok',
      questions: [],
      text: 'One.\n\nTwo.',
      usage: usage(30, 9, 7, 2),
      errors: [],
      end: { kind: 'ok', text: 'Two.' },
    },
  ],
  [
    'codex-exec-failed',
    'STR-6 codex exec: a failed turn is told once',
    { session_id: THREAD, result: 'error', errors: ['No model.'] },
  ],
  [
    'codex-app-server-question',
    'STR-2 STR-3 STR-5 codex app-server: its question, each call of the model counted once',
    {
      session_id: THREAD,
      result: 'ok',
      questions: asked('call-1', {
        ...colour,
        options: [
          { label: 'Red (Recommended)', description: 'Warm' },
          { label: 'Blue', description: 'Cold' },
        ],
      }),
      states: ['answered'],
      text: 'One thing first.\n\nRed it is.',
      usage: usage(20, 4, 2),
      errors: [],
    },
  ],
  [
    'codex-app-server-interrupted',
    'STR-6 codex app-server: an interrupted turn cancels its question',
    {
      result: 'error',
      states: ['cancelled'],
      end: { kind: 'interrupted', message: 'The turn was interrupted.' },
    },
  ],
  [
    'codex-app-server-failed',
    'STR-6 codex app-server: a failed turn is told once',
    { result: 'error', errors: ['No model.'] },
  ],
  [
    'codex-app-server-killed',
    'STR-6 codex app-server: a question without an end is open',
    { result: 'unfinished', states: ['open'], text: 'One thing first.' },
  ],
  [
    'codex-dynamic-tool',
    'STR-3 codex app-server: our own tool for questions',
    {
      result: 'ok',
      questions: asked('call-1', {
        question: 'Which colour?',
        options: [{ label: 'Red' }, { label: 'Blue' }],
        multi: false,
      }),
      states: ['answered'],
    },
  ],
  [
    'codex-approval',
    'STR-3 codex app-server: an approval is no question, a form is one',
    {
      result: 'ok',
      questions: asked(null, {
        question: 'Which colour?',
        header: 'Colour',
        options: [{ label: 'Red' }, { label: 'Blue' }],
        multi: false,
      }),
    },
  ],
  [
    'codex-sub-agent-asks',
    'HEAR-2 STR-4 codex app-server: a sub-agent asks through our MCP server after the turn has ended',
    {
      result: 'ok',
      questions: [
        {
          tool_use_id: 'call_ask',
          parent_tool_use_id: 'sub-1',
          question: 'Sub?',
          header: 'H',
          options: [
            { label: 'A', description: 'a' },
            { label: 'B', description: 'b' },
          ],
          multi: false,
        },
      ] as Inspection['questions'],
      text: 'I let a helper look.\n\nMAIN turn over.',
      states: ['answered'],
    },
  ],
  [
    'codex-sub-agent',
    'STR-4 codex app-server: another thread is a sub-agent',
    {
      result: 'unfinished',
      questions: [
        {
          tool_use_id: 'call-9',
          parent_tool_use_id: 'sub-1',
          ...colour,
          options: [{ label: 'Red (Recommended)', description: 'Warm' }, options[1]],
        },
      ] as Inspection['questions'],
      text: 'I let somebody look.\n\nSomebody looked.',
    },
  ],
  [
    'gemini-ask',
    'STR-2 STR-3 STR-5 gemini: pieces of text are one message, its question is kept',
    {
      session_id: CHAT,
      result: 'ok',
      questions: asked('ask-1', colour),
      states: ['denied'],
      text: 'One thing first.\n\nI guess red.',
      usage: usage(20, 9, 5),
      end: { kind: 'ok', text: 'I guess red.' },
    },
  ],
  [
    'gemini-failed',
    'STR-6 gemini: a failed run and its reason',
    { session_id: CHAT, result: 'error', errors: ['No model.'], usage: usage(3, 0) },
  ],
  [
    'acp-elicitation',
    'STR-3 STR-4 STR-5 the Agent Client Protocol: call and form are one question',
    {
      session_id: 'acp-1',
      result: 'ok',
      questions: asked('ask-1', colour),
      states: ['answered'],
      text: 'One thing first.\n\nRed it is.',
      usage: usage(20, 8, 1),
    },
  ],
  [
    'acp-gemini',
    'STR-6 the Agent Client Protocol: a cancelled turn is interrupted',
    { session_id: 'acp-1', result: 'error', text: 'Done.', usage: usage(20, 8) },
  ],
];
