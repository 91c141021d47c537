import { describe, expect, test } from 'vitest';
import { answersText } from '../../src/agents/questions/answer-text.ts';
import { inspectRun } from '../../src/agents/stream/inspect-run.ts';
import { previousIssuesSection } from '../../src/plan/convert/prompt.ts';
import { readFileBlocks } from '../../src/plan/file-blocks.ts';
import { QAAnswer, QAQuestion } from '../../src/schema/qa.ts';
import { interactivePlanning, ScenarioBuilder } from '../../src/testing.ts';
import { read } from '../agents/stream/support/fixture.ts';
import { built, freshFolder, Wire } from '../testing/wire.ts';

const run = (...lines: string[]) => inspectRun(read(lines.join('\n'), { from: 'claude' }));

describe('SEED-1 rslph: the events of the seed', () => {
  test('test_stream_response_session_id_extraction, and the first one wins', () => {
    const init = '{"type":"system","subtype":"init","session_id":"test-session-123","tools":[]}';
    expect(run(init).session_id).toBe('test-session-123');
    expect(run(init, init.replace('test-session-123', 'other')).session_id).toBe('test-session-123');
  });

  test('test_extract_ask_user_questions', () => {
    const json =
      '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"AskUserQuestion","input":{"questions":["Q1?","Q2?"]}}]}}';
    expect(run(json).questions.map(({ question }) => question)).toEqual(['Q1?', 'Q2?']);
  });

  test('test_stream_response_questions_accumulation, with the whole event of the seed', () => {
    const event = (id: string, questions: string[]) =>
      JSON.stringify({
        type: 'assistant',
        message: {
          id: `msg_${id}`,
          role: 'assistant',
          content: [{ type: 'tool_use', id: `toolu_${id}`, name: 'AskUserQuestion', input: { questions } }],
          model: 'claude-opus-4-5-20251101',
          stop_reason: 'tool_use',
          usage: { input_tokens: 1000, output_tokens: 150 },
        },
        uuid: 'event-uuid-here',
        timestamp: '2026-02-01T10:00:00Z',
      });
    const asked = ['What programming language do you want to use?', 'What database backend should we use?'];
    const { questions, usage } = run(event('0001', asked), event('0002', ['And which licence?']));
    expect(questions.map(({ question }) => question)).toEqual([...asked, 'And which licence?']);
    expect([usage.input_tokens, usage.output_tokens]).toEqual([2000, 300]);
  });

  test('format_answers_for_resume, and the resume command with it', async () => {
    const questions = ['What programming language?', 'What database?'].map((text, index) => ({
      id: `q${index + 1}`,
      text,
      createdAt: '',
    }));
    const by = { actor: { kind: 'person' as const, name: 'me' }, channel: 'terminal' as const };
    const responses = ['I want to use Rust.', 'PostgreSQL for the database.'].map((answer, index) => ({
      kind: 'answered' as const,
      questionId: `q${index + 1}`,
      answer,
      by,
      at: '',
    }));
    const text = answersText({ questions, responses });
    expect(text).toBe(
      'Here are my answers to your questions:\n\nQ1: What programming language?\nQ2: What database?\n\nMy answers:\nI want to use Rust.\nPostgreSQL for the database.\n',
    );
    const handle = built(interactivePlanning());
    const cwd = freshFolder();
    const claude = (...args: string[]) =>
      new Wire(handle, ['-p', '--verbose', '--output-format', 'stream-json', ...args], { cwd });
    await claude('Plan it').ended;
    const resumed = claude('--resume', 'test-session-123', text);
    await resumed.ended;
    expect(resumed.messages.at(-1)?.result).toMatch(/^# Progress: Interactive Test\n/);
    expect(handle.answers().map(({ answer }) => answer)).toEqual([
      'I want to use Rust.',
      'PostgreSQL for the database.',
    ]);
  });
});

test('SEED-6 debussy: the question and the answer message of the seed are valid unchanged', () => {
  const question = {
    type: 'question',
    gap_type: 'tech_stack',
    question: 'Which database will this project use?',
    options: ['PostgreSQL', 'MySQL', 'SQLite', 'MongoDB'],
    context: 'No database mentioned in issues',
  };
  const answer = { type: 'answer', gap_type: 'tech_stack', answer: 'PostgreSQL' };
  expect(QAQuestion.parse(question)).toEqual(question);
  expect(QAAnswer.parse(answer)).toEqual(answer);
  expect(QAAnswer.safeParse({ type: 'answer', gap_type: 'tech_stack' }).success).toBe(false);
});

describe('SEED-10 debussy convert', () => {
  test('the file blocks of the seed', () => {
    const answer = `---FILE: MASTER_PLAN.md---
# Feature Name - Master Plan

**Created:** 2024-01-15
...content...
---END FILE---

---FILE: phase-1.md---
# Phase 1: Setup

**Status:** Pending
...content...
---END FILE---
`;
    const { files, problems } = readFileBlocks(answer);
    expect(files.map(({ name, content }) => [name, content.split('\n')[0]])).toEqual([
      ['MASTER_PLAN.md', '# Feature Name - Master Plan'],
      ['phase-1.md', '# Phase 1: Setup'],
    ]);
    expect(problems).toEqual([]);
  });

  test('the section that a retry gets', () => {
    const issue = { severity: 'error' as const, file: 'phase-1.md', line: 1, column: 1, suggestion: '' };
    const section = previousIssuesSection([
      { ...issue, code: 'MISSING_GATES', message: 'Phase 1 has no gates defined' },
      { ...issue, code: 'NO_NOTES_OUTPUT', message: 'Phase 2 has no notes output path' },
    ]);
    expect(section).toContain('## IMPORTANT: Previous Attempt Failed Audit\n');
    expect(section).toContain('- [error] MISSING_GATES: Phase 1 has no gates defined');
    expect(section).toContain('- [error] NO_NOTES_OUTPUT: Phase 2 has no notes output path');
    expect(section).toContain('You MUST fix these issues in this attempt.\n');
  });

  test('the command line claude --print -p PROMPT --model haiku', async () => {
    const handle = built(new ScenarioBuilder().respondsWithText('a plan'));
    const wire = new Wire(handle, ['--print', '-p', 'convert this', '--model', 'haiku']);
    expect(await wire.ended).toMatchObject({ code: 0, stdout: 'a plan\n' });
  });
});
