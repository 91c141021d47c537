import type { Cause, Finding, IssueKind } from '../gaps/gap.ts';
import { words } from '../gaps/words.ts';
import type { Issue } from '../issue.ts';
import { describeStack, type Stack } from '../repository/stack.ts';
import { about, aboutAll, inQuotes, type Related } from './names.ts';

/** A question with the answers that need one click. Free text is always possible too. */
export interface Asked {
  question: string;
  /** Why we ask. */
  context: string;
  options: string[];
  recommended?: string;
  /** Why it is recommended. */
  reason?: string;
  /** The assumption if nobody answers. */
  assumed: string;
}

export interface Setting {
  kind: IssueKind;
  stack: Stack | undefined;
  /** Looks among the given issues, because other work may be one of them. */
  related: Related;
  /** The issues that the question is about. */
  own: readonly Issue[];
  /** Other gaps of the issue that the same answer closes. */
  covers: readonly Finding[];
}

/** A question, and why it is asked: the first three lines of a cause. */
interface Worded {
  question: string;
  missing: string;
  choices: Pick<Asked, 'options' | 'recommended' | 'reason' | 'assumed'>;
}

export function ask(finding: Finding, setting: Setting): Asked {
  const { question, missing, choices } = causes[finding.cause](finding, setting);
  const fields = finding.evidence.filter(({ kind }) => kind === 'unfilled').map(({ text }) => inQuotes(text));
  const found = finding.reasons.length > 0 ? ` Found: ${finding.reasons.join(', ')}.` : '';
  const empty = fields.length > 0 ? ` Empty: ${fields.join(', ')}.` : '';
  return { question, context: `${missing}${found}${empty}`, ...choices };
}

/**
 * What to ask for each cause. Each option is a whole answer, which can be sent as it is. One is recommended only if the text or
 * the repository says why.
 */
const causes: Record<Cause, (finding: Finding, setting: Setting) => Worded> = {
  no_outcome: (_, setting) =>
    setting.covers.some(({ cause }) => cause === 'no_problem')
      ? unknown(setting)
      : outcomes[setting.kind](setting),
  no_target: (_, { own }) => ({
    question: `How fast must ${aboutAll(own)} be, and how do we measure it?`,
    missing: 'The issue wants it faster, but names no target to reach.',
    choices: {
      options: [
        'Twice as fast in a benchmark that we add first',
        'Nothing that a user waits for takes longer than a second',
        'Measure first, and report where the time goes before changing anything',
      ],
      assumed: 'We measure first, improve the slowest part, and report both figures.',
    },
  }),
  no_reproduction: (_, { own, covers }) => ({
    question: `How do you reproduce ${aboutAll(own)}${covers.length > 0 ? ', and what should happen instead' : ''}?`,
    missing: 'The issue has no steps, error message or example that lets someone else reproduce it.',
    choices: {
      options: [
        'It happens every time one does what the issue describes',
        'It happens only sometimes',
        'It no longer happens: close the issue',
      ],
      assumed: 'We look for the bug in the code based on the description, and write a test for what we find.',
    },
  }),
  no_check: (_, { own, stack }) => {
    const tests = `With automated tests${runnerIn(stack, ' (', ')')}`;
    const hasRunner = runnerIn(stack) !== '';
    return {
      question: `How do we verify ${aboutAll(own)}?`,
      missing: 'The issue has no acceptance criteria, steps or measure to check against.',
      choices: {
        options: [tests, 'By hand, with written steps', 'By a metric, measured before and after'],
        ...(hasRunner ? { recommended: tests, reason: `The repository has ${runnerIn(stack)}.` } : {}),
        assumed: hasRunner
          ? `We write automated tests (${runnerIn(stack)}).`
          : 'We describe how to check it by hand.',
      },
    };
  },
  unbounded: (_, { own }) => {
    const theme = themes.find(([pattern]) => own.some(({ title }) => pattern.test(title)))?.[1];
    const usual = [
      'Only what the issue names',
      'The most useful part first, the rest as later issues',
      'All of it, split into several issues',
    ];
    return {
      question: `What is in scope for ${aboutAll(own)}, and what is not?`,
      missing: 'The issue sets no limit: no number, list or named part.',
      choices: {
        options: theme ?? usual,
        assumed: 'We do only what the issue names, and list the rest for a later issue.',
      },
    };
  },
  undecided: (finding, { own }) => ({
    question: `What should we build for ${aboutAll(own)}? It says: ${quote(finding)}.`,
    missing: 'The issue is still being considered.',
    choices: {
      options: [
        'Compare the possibilities in writing, and build nothing yet',
        'Build the simplest possibility, and name it in the plan',
      ],
      assumed: 'We compare the possibilities, build the simplest one, and name it in the plan.',
    },
  }),
  open_question: (finding, { own }) => ({
    question: `${aboutAll(own)} leaves this open: ${quote(finding)}. What is your decision?`,
    missing: 'The issue asks this, and does not answer it.',
    choices: {
      options: answersIn(finding.quotes[0] ?? ''),
      assumed: 'We choose the simplest behaviour that fits the rest of the issue, and name it in the plan.',
    },
  }),
  open_choice: (finding, { own, stack }) => ({
    question: `Which technology should ${aboutAll(own)} use? It says: ${quote(finding)}.`,
    missing: 'The issue does not choose, and neither do the manifests.',
    choices: technology(finding, stack),
  }),
  other_work: (finding, { own, related }) => {
    const others = related(finding.quotes[0] ?? '').filter((issue) => !own.includes(issue));
    const named = others.slice(0, 3).map((issue) => `It is ${about(issue)}`);
    const [only] = others.length === 1 ? others : [];
    return {
      question: `Which issue or pull request does ${aboutAll(own)} depend on, and is it done? It says: ${quote(finding)}.`,
      missing: 'The issue mentions other work without a link.',
      choices: {
        options: [...named, 'It is done: start now', 'Start without it', 'Leave this issue out for now'],
        ...(only
          ? { recommended: `It is ${about(only)}`, reason: 'It is the only one of these issues that fits.' }
          : {}),
        assumed: only
          ? `This issue comes after ${about(only)}.`
          : 'The other work is done or not needed, so we plan without it.',
      },
    };
  },
  no_problem: (_, setting) => unknown(setting),
};

const quote = ({ quotes: [said = ''] }: Finding) => inQuotes(said);

function runnerIn(stack: Stack | undefined, before = '', after = ''): string {
  const [runner] = stack?.testRunners ?? [];
  return runner ? `${before}${runner}${after}` : '';
}

const WRITE_FIRST = 'Write acceptance criteria first, for my approval';
const deletesData = words`
  (?:delet|remov|purg|clear|drop)\w* .{0,40}(?:data|users?|accounts?|records?|rows?|files?|tables?|orders?|history|entries)
`;

/** What must be true in the end. */
const outcomes: Record<IssueKind, (setting: Setting) => Worded> = {
  bug: ({ own }) =>
    outcome(
      `What happens now in ${aboutAll(own)}, and what should happen instead?`,
      'The bug report does not say what should happen instead.',
      [
        'It no longer happens, and nothing else changes',
        'It works as intended: explain it in the documentation',
        WRITE_FIRST,
      ],
      'It is done when the described behaviour no longer happens.',
      'The report names only this.',
    ),
  feature: wish,
  question: wish,
  docs: (setting) => ({
    ...wish(setting),
    question: `What should the documentation say once ${aboutAll(setting.own)} is done?`,
  }),
  chore: ({ own }) => {
    const deletes = own.some(({ title }) => deletesData.test(title));
    return outcome(
      `What should ${aboutAll(own)} change, and what must stay the same?`,
      'The issue does not say what is different in the end.',
      deletes
        ? [
            'List what would be deleted, for my approval',
            'Delete it after a backup',
            'Delete nothing: close the issue',
          ]
        : ['Users see no change, and all tests pass', 'Behaviour may change where that helps', WRITE_FIRST],
      deletes
        ? 'We list what would be deleted, and delete nothing yet.'
        : 'It is done when the change is made and the behaviour is the same.',
      deletes ? 'What is deleted does not come back.' : 'It is a chore, which users do not see.',
    );
  },
};

const unknown = ({ own }: Setting): Worded => ({
  question: `What is ${aboutAll(own)} about, and what must be true for it to be done?`,
  missing: 'The issue says little more than its title.',
  choices: {
    options: [
      'Leave it out of the plan until someone describes it',
      'Propose what it could mean, for my approval',
      'It is no longer needed: close the issue',
    ],
    assumed: 'We leave the issue out of the plan until someone says what it is about.',
  },
});

function wish({ own, stack }: Setting): Worded {
  const tests = runnerIn(stack, ', with automated tests (', ')');
  return outcome(
    `What must be true for ${aboutAll(own)} to be done?`,
    'The issue has no acceptance criteria, example or expected behaviour to build from.',
    [
      `The minimum that the title describes${tests}`,
      'The minimum, with errors and limits handled',
      WRITE_FIRST,
    ],
    `We will build the minimum that the title describes${tests}.`,
    runnerIn(stack, 'The repository has ', ', and the issue asks for nothing more.') || undefined,
  );
}

/** With a reason, the first option is recommended. */
function outcome(
  question: string,
  missing: string,
  options: string[],
  assumed: string,
  reason: string | undefined,
): Worded {
  const [recommended] = options;
  return {
    question,
    missing,
    choices: { options, ...(recommended && reason ? { recommended, reason } : {}), assumed },
  };
}

/** What can be in scope depends on what is wanted: the first theme that a title names. */
const themes: [RegExp, string[]][] = [
  [
    words`performance; faster; slow; speed; latency; load(?:ing)? times?; optimi[sz]\w+`,
    [
      'Only the slowest case that we measure',
      'A report with measurements, and follow-up issues',
      'Every case that the issue names',
    ],
  ],
  [
    words`clean(?:ing)?[- ]?up; refactor\w*; tech(?:nical)?[- ]debt; restructure; rework; tidy\w*; moderni[sz]\w+`,
    [
      'Only what the issue names, with identical behaviour',
      'A list of what to clean up first, for my approval',
      'One module at a time, each as its own phase',
    ],
  ],
  [
    words`integrat\w+; connect\w*; third-party; migrat\w+`,
    ['Only the main flow, end to end', 'All that exists today, split into several issues'],
  ],
];

const yesOrNo = /^(?:should|shall|do|does|is|are|can|could|would|will)\b/i;
const either = /(?:^|\s)((?:[^\s,]+\s){0,3}[^\s,]+?),?\s(?:or|vs\.?)\s((?:[^\s—–(]+\s?){1,5}?)[?.,—–(]/i;

/** "Should it A or B?" contains its answers; "should it A?" is yes or no. */
function answersIn(question: string): string[] {
  const [, before = '', other = ''] = either.exec(question) ?? [];
  const one = before.replace(/^.*\b(?:either|should)\s/i, '').trim();
  // "come daily or weekly": two words of one form.
  const last = one.split(' ').at(-1) ?? '';
  if (one && other) return [last.slice(-2) === other.slice(-2) ? last : one, other.trim()];
  if (yesOrNo.test(question)) return ['Yes', 'No'];
  return ['Propose an answer and let me approve it', 'Choose the simplest option, and name it in the plan'];
}

const preferred = words`
  prefer; i'd (?:use|go with|pick); i would (?:use|go with|pick); leaning (?:to|towards); my fav(?:ou?rite)?; better (?:to )?use; probably
`;
const COMPARE = 'Compare them and propose one';

function technology(
  { alternatives, quotes: [said = ''] }: Finding,
  stack: Stack | undefined,
): Worded['choices'] {
  const known =
    stack && stack.manifests.length > 0
      ? `Nothing new: use the current stack (${describeStack(stack)})`
      : undefined;
  const liked = preferred.exec(said);
  const favourite = liked ? alternatives.find((name) => said.indexOf(name, liked.index) >= 0) : undefined;
  if (alternatives.length === 0)
    return {
      options: [known ?? COMPARE, known ? COMPARE : 'Choose the simplest option that works, and say why'],
      ...(known ? { recommended: known, reason: 'The issue names nothing else.' } : {}),
      assumed: `${known ?? COMPARE}.`,
    };
  return {
    options: [...alternatives, ...(known ? [known] : []), COMPARE],
    ...(favourite ? { recommended: favourite, reason: 'The issue prefers it.' } : {}),
    assumed: favourite
      ? `We use ${favourite}, because the issue prefers it.`
      : 'We compare them first, and the plan says which one we chose and why.',
  };
}
