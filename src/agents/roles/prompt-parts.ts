import type { HilConfig } from '../../schema/autonomy.ts';
import { autonomySentences } from '../../schema/autonomy-words.ts';
import type { Notification } from '../../schema/notification.ts';
import { noAnswerText, responseAsText } from '../questions/answer-text.ts';

/** How much the agent may do alone, in the words that every agent gets. */
export function autonomyPart(hilConfig: HilConfig, asks = true): string {
  return `# How much you may decide alone

- Scope changes: ${autonomySentences[hilConfig.scopeChanges]}
- Architecture decisions: ${autonomySentences[hilConfig.architectureDecisions]}
- Dependency modifications: ${autonomySentences[hilConfig.dependencyModifications]}${asks ? '' : NOBODY_TO_ASK}`;
}

/** Without this part, an agent that is told to confirm but not to ask would have to break one of the two rules. */
const NOBODY_TO_ASK = `

You cannot ask anybody while you write this plan. Leave what needs confirmation as it was requested, and list what you would change under Assumptions. A person reads them before the plan is carried out.`;

/** The one format of questions, for all roles. */
export const questionsPart = `# How to ask

{"open_questions": [{"id": "q1", "text": "Which database should we use?", "category": "architecture", "options": [{"label": "SQLite", "description": "no server; one writer"}, {"label": "PostgreSQL", "description": "many writers; needs a server"}], "recommended": "SQLite", "context": "why it matters"}]}

Only text is required. category is scope, architecture or dependency if the question is about a change of that kind; leave it out otherwise. If you can, give options with their pros and cons, and recommend one. Ask everything at once, and only what matters.`;

/** All questions so far with their answers; empty if there are none. */
export function historyPart(history: Notification[]): string {
  const entries = history.flatMap((notification) =>
    notification.questions.map((question) => {
      const response = notification.responses.find(({ questionId }) => questionId === question.id);
      const answer =
        response || !notification.outcome ? responseAsText(response) : noAnswerText(notification);
      return `Q: ${question.text}\nA: ${answer}${beforeThat(notification, question.id)}`;
    }),
  );
  if (entries.length === 0) return '';
  return `# Questions you have already asked, with the answers\n\n${entries.join('\n\n')}\n\nDo not ask any of this again.`;
}

/** The agent has to find what was built on an answer that a person has since amended. */
function beforeThat({ replaced = [] }: Notification, questionId: string): string {
  const old = replaced.findLast((response) => response.questionId === questionId);
  return old ? `\n(The person changed this answer. It used to be: ${responseAsText(old)})` : '';
}
