import { defaultAnswer } from './default-answer.ts';
import type { Notification } from './notification.ts';

/** "The agent proposes: Yes after 4 h"; undefined if it proposes nothing. `duration` formats seconds for people. */
export function proposalWords(
  { proposal, questions }: Pick<Notification, 'proposal' | 'questions'>,
  duration: (seconds: number) => string,
): string | undefined {
  if (!proposal) return undefined;
  const after = `after ${duration(proposal.after)}`;
  switch (proposal.kind) {
    case 'default': {
      const answers = questions.map(({ id }) =>
        [defaultAnswer(proposal.answers, id) ?? []].flat().join(', '),
      );
      return `The agent proposes: ${answers.join('; ')} ${after}`;
    }
    case 'skip':
      return `The agent proposes: decide it alone ${after}`;
    case 'fail':
      return `The agent proposes: give up ${after}`;
    default: {
      const never: never = proposal;
      return never;
    }
  }
}
