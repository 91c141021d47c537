import type { AskedCall } from './questions.ts';
import type { RunView } from './view.ts';

/** A view of a run in the shape that `fermata stream inspect` prints for programs. */
export interface Inspection {
  session_id: string | null;
  result: 'ok' | 'error' | 'unfinished';
  questions: InspectedQuestion[];
  text: string;
  usage: {
    input_tokens: number;
    output_tokens: number;
    cache_read_input_tokens: number;
    cache_creation_input_tokens: number;
  };
  skipped_lines: number;
  errors: string[];
}

export interface InspectedQuestion {
  tool_use_id: string | null;
  /** Only if a sub-agent asked: the call that started it. */
  parent_tool_use_id?: string;
  question: string;
  header?: string;
  options: { label: string; description?: string }[];
  multi: boolean;
}

export function inspectRun(view: RunView): Inspection {
  const { usage } = view;
  return {
    session_id: view.sessionId,
    result: resultOf(view),
    questions: view.questions.flatMap(inspectedQuestions),
    text: view.text,
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cache_read_input_tokens: usage.cacheReadTokens,
      cache_creation_input_tokens: usage.cacheCreationTokens,
    },
    skipped_lines: view.skippedLines,
    errors: view.errors,
  };
}

function resultOf({ end }: RunView): Inspection['result'] {
  switch (end.kind) {
    case 'ok':
    case 'deferred':
      return 'ok';
    case 'error':
    case 'interrupted':
      return 'error';
    case 'unfinished':
      return 'unfinished';
  }
}

function inspectedQuestions({ toolUseId, lineage, questions }: AskedCall): InspectedQuestion[] {
  const parent = lineage.at(-1);
  return questions.map(({ question, header, options, multi }) => ({
    tool_use_id: toolUseId,
    ...(parent === undefined ? {} : { parent_tool_use_id: parent }),
    question,
    ...(header === undefined ? {} : { header }),
    options: options.map(({ label, description }) =>
      description === undefined ? { label } : { label, description },
    ),
    multi,
  }));
}
