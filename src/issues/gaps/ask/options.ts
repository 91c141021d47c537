import type { Issue } from '../../issue.ts';
import { describeStack, type Stack } from '../../repository/stack.ts';
import type { Finding, IssueKind } from '../gap.ts';
import { phrases } from '../words/phrases.ts';
import type { Related } from './wording.ts';
import { about } from './wording.ts';

/** The answers that need one click. Free text is always possible too. */
export interface Choices {
  options: string[];
  recommended?: string;
  /** The assumption if nobody answers. */
  assumed: string;
}

interface Setting {
  kind: IssueKind;
  stack: Stack | undefined;
  /** Looks among the given issues, because other work may be one of them. */
  related: Related;
  own: Issue[];
}

/** The first option never has a blank ("…"), because a parent process may send the first one of each question unchanged. */
export function choicesOf(finding: Finding, setting: Setting): Choices {
  switch (finding.cause) {
    case 'no_outcome':
      return outcome(setting.kind);
    case 'open_question':
      return decision(finding.quote ?? '');
    case 'no_reproduction':
      return {
        options: [
          'It happens only sometimes',
          'It happens every time, with these steps: …',
          'It happens only in one environment: …',
          'It no longer happens: close the issue',
        ],
        assumed:
          'We look for the bug in the code based on the description, and write a test for what we find.',
      };
    case 'no_check':
      return check(setting.stack);
    case 'open_choice':
      return technology(finding, setting.stack);
    case 'other_work':
      return otherWork(finding, setting);
    case 'unbounded':
      return {
        options: [
          'Only what the issue names',
          'Only the most painful case: …',
          'All of it, split into several issues',
        ],
        recommended: 'Only what the issue names',
        assumed: 'We do only what the issue names, and list the rest for a later issue.',
      };
    case 'no_problem':
      return {
        options: [
          'A clean-up with no visible change',
          'Something is broken: …',
          'Something is missing: …',
          'It is no longer needed: close the issue',
        ],
        assumed: 'We leave the issue out of the plan until someone says what it is about.',
      };
    case 'said_elsewhere':
      return {
        options: [
          'It does not matter: the issue is clear enough',
          'It says: …',
          'It is no longer needed: close the issue',
        ],
        assumed: 'We work from the text of the issue alone.',
      };
  }
}

function outcome(kind: IssueKind): Choices {
  const first = 'Write acceptance criteria first, for my approval';
  switch (kind) {
    case 'bug':
      return {
        options: [
          'It no longer happens, and nothing else changes',
          'It works as intended: explain it in the documentation',
          first,
        ],
        recommended: 'It no longer happens, and nothing else changes',
        assumed: 'It is done when the described behaviour no longer happens.',
      };
    case 'chore':
      return {
        options: ['Users see no change, and all tests pass', 'Behaviour changes too: …', first],
        recommended: 'Users see no change, and all tests pass',
        assumed: 'It is done when the change is made and the behaviour is the same.',
      };
    default:
      return {
        options: ['The minimum that the title describes', 'The minimum, plus these cases: …', first],
        recommended: 'The minimum that the title describes',
        assumed: 'We will build the minimum that the title describes.',
      };
  }
}

const yesOrNo =
  /^(?:should|shall|do|does|is|are|can|could|would|will|soll\p{L}*|est-ce|faut-il|devrait-on|¿?(?:debe|deber)\p{L}*|dever\p{L}*)(?!\p{L})/iu;

/** "Should it A or B?" contains its answers; "should it A?" is yes or no. */
function decision(quote: string): Choices {
  const assumed =
    'We choose the simplest behaviour that fits the rest of the issue, and name it in the plan.';
  const either = /(?:^|\s)((?:\S+\s){0,3}\S+?),?\s(?:or|oder|ou|o|или)\s((?:\S+\s?){1,4})\?/iu.exec(quote);
  if (either?.[1] && either[2]) return { options: [either[1].trim(), either[2].trim()], assumed };
  return {
    options: yesOrNo.test(quote)
      ? ['Yes', 'No']
      : ['Propose an answer and let me approve it', 'Choose the simplest option, and name it in the plan'],
    assumed,
  };
}

function check(stack: Stack | undefined): Choices {
  const [runner] = stack?.testRunners ?? [];
  const tests = runner ? `With automated tests (${runner})` : 'With automated tests';
  return {
    options: [tests, 'By hand, with written steps', 'By a metric, measured before and after: …'],
    ...(runner ? { recommended: tests } : {}),
    assumed: runner ? `We write automated tests (${runner}).` : 'We describe how to check it by hand.',
  };
}

const preferred = phrases`
  prefer; i'd (?:use|go with|pick); i would (?:use|go with|pick); leaning (?:to|towards); my favou?rite; my fav; better (?:to )?use; probably
  bevorzuge; am liebsten; je préfère; plutôt; prefiero; prefiro; лучше; 倾向; 更喜欢
`;

function technology({ alternatives = [], quote = '' }: Finding, stack: Stack | undefined): Choices {
  const known =
    stack && stack.manifests.length > 0
      ? `Nothing new: use the current stack (${describeStack(stack)})`
      : undefined;
  const liked = preferred.exec(quote);
  const favourite = liked ? alternatives.find((name) => quote.indexOf(name, liked.index) >= 0) : undefined;
  const fallback = known ?? 'Compare them and propose one';
  return {
    options: [
      ...alternatives,
      ...(known ? [known] : []),
      'Compare them and propose one',
      ...(alternatives.length === 0 && !known ? ['Choose the simplest option that works, and say why'] : []),
    ],
    ...(favourite
      ? { recommended: favourite }
      : alternatives.length === 0 && known
        ? { recommended: known }
        : {}),
    assumed: favourite
      ? `We use ${favourite}, because the issue prefers it.`
      : alternatives.length > 0
        ? 'We compare them first, and the plan says which one we chose and why.'
        : `${fallback}.`,
  };
}

function otherWork({ quote = '' }: Finding, { related, own }: Setting): Choices {
  const mine = new Set(own);
  const candidates = related(quote).filter((issue) => !mine.has(issue));
  const named = candidates.slice(0, 3).map((issue) => `It is ${about(issue)}`);
  return {
    options: [...named, 'It is done: start now', 'Start without it', 'Leave this issue out for now'],
    ...(candidates.length === 1 && named[0] ? { recommended: named[0] } : {}),
    assumed:
      candidates.length === 1 && candidates[0]
        ? `This issue comes after ${about(candidates[0])}.`
        : 'The other work is done or not needed, so we plan without it.',
  };
}
