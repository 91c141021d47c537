import type { HilConfig } from '../../schema/autonomy.ts';
import { autonomySentences } from '../../schema/autonomy-words.ts';
import type { Notification } from '../../schema/notification.ts';
import { noAnswerText, spokenResponse } from '../answer-text.ts';

/** How much the agent may do alone, in the words that every agent is given. */
export function autonomyPart(hilConfig: HilConfig): string {
  return `# How much you may decide alone

- Scope changes: ${autonomySentences[hilConfig.scopeChanges]}
- Architecture decisions: ${autonomySentences[hilConfig.architectureDecisions]}
- Dependency modifications: ${autonomySentences[hilConfig.dependencyModifications]}`;
}

/** The one format of questions, for all roles. */
export const questionsPart = `# How to ask

{"open_questions": [{"id": "q1", "text": "Which database should we use?", "category": "architecture", "options": [{"label": "SQLite", "description": "no server; one writer"}, {"label": "PostgreSQL", "description": "many writers; needs a server"}], "recommended": "SQLite", "context": "why it matters"}]}

Only text is required. category is scope, architecture or dependency where it is a change of that kind; leave it out otherwise. Give options with what speaks for and against each, and recommend one, where you can. Ask everything at once, and only what matters.`;

/** Everything that was asked so far, with its answers; empty where nothing was. */
export function historyPart(history: Notification[]): string {
  const entries = history.flatMap((notification) =>
    notification.questions.map((question) => {
      const response = notification.responses.find(({ questionId }) => questionId === question.id);
      const answer =
        response || !notification.outcome ? spokenResponse(response) : noAnswerText(notification);
      return `Q: ${question.text}\nA: ${answer}`;
    }),
  );
  if (entries.length === 0) return '';
  return `# What you have asked before, with the answers\n\n${entries.join('\n\n')}\n\nDo not ask any of this again.`;
}
