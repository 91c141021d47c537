import { defaultAnswer } from './default-answer.ts';
import type { Notification } from './notification.ts';

/** What the agent proposes, as a sentence; undefined if nothing. `duration` formats seconds for people. */
export function proposalWords(
  { proposal, questions }: Pick<Notification, 'proposal' | 'questions'>,
  duration: (seconds: number) => string,
): string | undefined {
  if (!proposal) return undefined;
  const begin = `The agent proposes: if nobody answers within ${duration(proposal.after)},`;
  switch (proposal.kind) {
    case 'default': {
      const answers = questions.map(({ id }) =>
        [defaultAnswer(proposal.answers, id) ?? []].flat().join(', '),
      );
      return `${begin} use ${answers.join('; ')}`;
    }
    case 'skip':
      return `${begin} it decides on its own`;
    case 'fail':
      return `${begin} it gives up`;
    default: {
      const never: never = proposal;
      return never;
    }
  }
}
