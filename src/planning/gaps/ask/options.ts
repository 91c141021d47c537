import type { Issue } from '../../issues/issue.ts';
import { describeStack, type Stack } from '../../repository/stack.ts';
import type { Finding } from '../gap.ts';
import type { IssueKind } from '../kind.ts';
import { phrases } from '../words/phrases.ts';
import { about } from './about.ts';
import type { Related } from './related.ts';

/** What one can answer with a click; free text is always possible besides. */
export interface Choices {
  options: string[];
  recommended?: string;
  /** What is taken for granted if nobody answers. */
  assumed: string;
}

interface Setting {
  kind: IssueKind;
  stack: Stack | undefined;
  /** Among the issues at hand: other work may be one of them. */
  related: Related;
  own: Issue[];
}

/** The first option never has a blank ("…"): a parent process may take the first one of each question as it is. */
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
          'It does not happen any more: close the issue',
        ],
        assumed:
          'The fault is looked for in the code from its description, and a test is written for what is found.',
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
          'Only the case that hurts most: …',
          'All of it, split into several issues',
        ],
        recommended: 'Only what the issue names',
        assumed: 'Only what the issue names by itself is done; the rest is listed for a later issue.',
      };
    case 'no_problem':
      return {
        options: [
          'A clean-up without a visible change',
          'Something is broken: …',
          'Something is missing: …',
          'It is not needed any more: close the issue',
        ],
        assumed: 'The issue is left out of the plan until somebody says what it is about.',
      };
    case 'said_elsewhere':
      return {
        options: [
          'It does not matter: the issue says enough',
          'It is written here: …',
          'It is not needed any more: close the issue',
        ],
        assumed: 'The issue is taken by its own words.',
      };
  }
}

function outcome(kind: IssueKind): Choices {
  const first = 'First write down the criteria and let me approve them';
  switch (kind) {
    case 'bug':
      return {
        options: [
          'It no longer happens, and nothing else changes',
          'It is meant to be so: explain it in the documentation',
          first,
        ],
        recommended: 'It no longer happens, and nothing else changes',
        assumed: 'It is done when what the issue describes no longer happens.',
      };
    case 'chore':
      return {
        options: ['Nothing that a user sees changes, and all tests pass', 'Behaviour changes, too: …', first],
        recommended: 'Nothing that a user sees changes, and all tests pass',
        assumed: 'It is done when the change is made and behaviour stays as it is.',
      };
    default:
      return {
        options: ['The smallest version that does what the title says', 'That, and these cases: …', first],
        recommended: 'The smallest version that does what the title says',
        assumed: 'The title is taken literally: the smallest version that does what it says.',
      };
  }
}

const yesOrNo =
  /^(?:should|shall|do|does|is|are|can|could|would|will|soll\p{L}*|est-ce|faut-il|devrait-on|¿?(?:debe|deber)\p{L}*|dever\p{L}*)(?!\p{L})/iu;

/** "Should it A or B?" has its answers in it; "should it A?" is yes or no. */
function decision(quote: string): Choices {
  const assumed = 'The simplest behaviour that fits the rest of the issue is chosen, and named in the plan.';
  const either = /(?:^|\s)((?:\S+\s){0,3}\S+?),?\s(?:or|oder|ou|o|или)\s((?:\S+\s?){1,4})\?/iu.exec(quote);
  if (either?.[1] && either[2]) return { options: [either[1].trim(), either[2].trim()], assumed };
  return {
    options: yesOrNo.test(quote) ? ['Yes', 'No'] : ['Propose an answer and let me approve it'],
    assumed,
  };
}

function check(stack: Stack | undefined): Choices {
  const [runner] = stack?.testRunners ?? [];
  const tests = runner ? `With automated tests (${runner})` : 'With automated tests';
  return {
    options: [
      tests,
      'By hand, with steps that are written down',
      'By a number that is measured before and after: …',
    ],
    ...(runner ? { recommended: tests } : {}),
    assumed: runner
      ? `Each one gets tests with ${runner}.`
      : 'Each one gets a description of how to check it by hand.',
  };
}

const preferred = phrases`
  prefer; i'd (?:use|go with|pick); i would (?:use|go with|pick); leaning (?:to|towards); my favou?rite; my fav; better (?:to )?use; probably
  bevorzuge; am liebsten; je préfère; plutôt; prefiero; prefiro; лучше; 倾向; 更喜欢
`;

function technology({ alternatives = [], quote = '' }: Finding, stack: Stack | undefined): Choices {
  const known =
    stack && stack.manifests.length > 0
      ? `Nothing new: only what is there (${describeStack(stack)})`
      : undefined;
  const liked = preferred.exec(quote);
  const favourite = liked ? alternatives.find((name) => quote.indexOf(name, liked.index) >= 0) : undefined;
  const fallback = known ?? 'Compare them and propose one';
  return {
    options: [...alternatives, ...(known ? [known] : []), 'Compare them and propose one'],
    ...(favourite
      ? { recommended: favourite }
      : alternatives.length === 0 && known
        ? { recommended: known }
        : {}),
    assumed: favourite
      ? `${favourite} is used: the issue leans to it.`
      : alternatives.length > 0
        ? 'They are compared first, and the plan names the one that was chosen and why.'
        : `${fallback}.`,
  };
}

function otherWork({ quote = '' }: Finding, { related, own }: Setting): Choices {
  const mine = new Set(own);
  const candidates = related(quote).filter((issue) => !mine.has(issue));
  const named = candidates.slice(0, 3).map((issue) => `It is ${about(issue)}`);
  return {
    options: [...named, 'It is done: start now', 'Start without it', 'Wait: leave this issue out for now'],
    ...(candidates.length === 1 && named[0] ? { recommended: named[0] } : {}),
    assumed:
      candidates.length === 1 && candidates[0]
        ? `It comes after ${about(candidates[0])}.`
        : 'The other work is done or not needed: the issue is planned without it.',
  };
}
