import { PipeConversation } from '../channels/pipe/pipe-conversation.ts';
import type { PipeItem } from '../channels/pipe/pipe-question.ts';
import { pipeTimeout } from '../config/pipe.ts';
import { keepStdoutForQuestions, tell } from './output.ts';
import type { Session } from './session.ts';

/** Makes ready to ask the parent process. From here on nothing but questions is on stdout. */
export function openPipe(session: Session, items: PipeItem[]): PipeConversation {
  keepStdoutForQuestions();
  const { seconds, problem } = pipeTimeout(process.env);
  if (problem) tell(`fermata: ${problem}`);
  return new PipeConversation(session.ledger, items, session.by, {
    input: process.stdin,
    output: process.stdout,
    timeoutSeconds: seconds,
    report: (message) => tell(`fermata: ${message}`),
  });
}
