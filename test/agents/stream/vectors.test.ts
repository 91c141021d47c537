import { describe, expect, it } from 'vitest';
import { extractOpenQuestions } from '../../../src/agents/questions/open-questions.ts';
import { inspectRun } from '../../../src/agents/stream/inspect-run.ts';
import { toolSummary } from '../../../src/agents/stream/tool-summary.ts';
import { read } from './support/fixture.ts';
import vectors from './vectors.json' with { type: 'json' };

interface StreamVector {
  from: string;
  name: string;
  lines: unknown[];
  expected: Record<string, unknown>;
}

/** Observed behaviour of the ancestors, in our words; `docs/contributors/vector-differences.md` lists where we differ. */
describe('vectors: streams', () => {
  it.each((vectors.streams as StreamVector[]).map((vector) => [vector.from, vector.name, vector] as const))(
    'STR-1 STR-2 STR-3 STR-4 STR-5 %s: %s',
    (_, __, { lines, expected }) => {
      const output = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
      const view = read(output, { from: 'claude' });
      const { session_id, questions, text, usage, skipped_lines, result, errors } = inspectRun(view);
      const heard = {
        session: session_id,
        questions: questions.map(({ question }) => question),
        text,
        tokens: [
          usage.input_tokens,
          usage.output_tokens,
          usage.cache_read_input_tokens,
          usage.cache_creation_input_tokens,
        ],
        cost: view.usage.costUsd,
        skipped: skipped_lines,
        result,
        errors,
        stopReason: view.stopReason,
        model: view.model,
      };
      expect(heard).toEqual({ ...heard, ...expected });
    },
  );
});

describe('vectors: what a tool is doing', () => {
  it.each(vectors.tools.map((vector) => [vector.from, vector.name, vector] as const))(
    '%s: %s',
    (_, __, { tool, input, expected }) => {
      expect(toolSummary(tool, input)).toBe(expected);
    },
  );
});

interface AnswerVector {
  area: string;
  name: string;
  text: string;
  expected: Record<string, unknown>;
}

describe('vectors: open questions in an answer', () => {
  it.each((vectors.answers as AnswerVector[]).map((vector) => [vector.area, vector.name, vector] as const))(
    'LED-2 opensprint %s: %s',
    (_, __, { text, expected }) => {
      const { status, summary = null, questions, dropped } = extractOpenQuestions(text);
      const found = {
        status,
        summary,
        questions: questions.map((question) => [question.id, question.text]),
        dropped: dropped.length,
      };
      expect(found).toEqual({ ...found, dropped: 0, ...expected });
    },
  );
});
