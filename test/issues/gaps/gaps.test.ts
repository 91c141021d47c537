import { describe, expect, it } from 'vitest';
import type { GapType } from '../../../src/schema/qa.ts';
import { type Draft, gapsOf, report } from './support.ts';

const open: [string, Draft, GapType[]][] = [
  [
    'a wish without behaviour',
    { title: 'Add dark mode', body: 'Would be nice!' },
    ['acceptance_criteria', 'validation'],
  ],
  [
    'a bug without anything to see it by',
    { title: 'Sync hangs', body: 'It hangs.', labels: ['bug'] },
    ['acceptance_criteria', 'validation'],
  ],
  [
    'a bug that does not even name what it is about',
    { title: 'App crashes', body: 'It crashed again.', labels: ['bug'] },
    ['acceptance_criteria', 'validation', 'context'],
  ],
  [
    'a bug whose only trigger is that there was an update',
    {
      title: 'Broken since the update',
      body: 'With the most recent system update the viewer does not open.',
    },
    ['acceptance_criteria', 'validation'],
  ],
  [
    'nothing but a cryptic title',
    { title: 'Statistics', body: null },
    ['acceptance_criteria', 'validation', 'context'],
  ],
  ['only emoji', { title: '🔥', body: '🚀🚀' }, ['acceptance_criteria', 'validation', 'context']],
  [
    'wording without an end',
    { title: 'Improve performance', body: 'The app should be faster.' },
    ['acceptance_criteria', 'validation', 'scope'],
  ],
  [
    'everything',
    { title: 'Clean up the whole code base', body: '' },
    ['acceptance_criteria', 'validation', 'scope'],
  ],
  [
    'German without an end',
    { title: 'Oberfläche verbessern', body: 'Bitte alles schöner machen.' },
    ['acceptance_criteria', 'validation', 'scope'],
  ],
  [
    'Chinese wish without behaviour',
    { title: '希望增加投票功能', body: '如题' },
    ['acceptance_criteria', 'validation'],
  ],
  [
    'an open choice of technology',
    {
      title: 'Queue for mails',
      body: 'Each mail is written to a queue and sent by a worker, five tries at most.\n\nWe could use RabbitMQ or Redis, not sure yet.',
    },
    ['tech_stack'],
  ],
  [
    'an issue that is a choice',
    { title: 'Decide which database to use', body: 'sqlite or postgres' },
    ['tech_stack'],
  ],
  [
    'other work without a name',
    {
      title: 'Show the delivery window',
      body: 'Below each item: "arrives on DAY". Left out when it takes more than 300 ms.\n\nThis needs the new shipping API from the other team.',
    },
    ['dependencies'],
  ],
  [
    'a question that the text asks itself',
    {
      title: 'Soft delete',
      body: 'Deleted projects are hidden, and an admin can restore them from a list.\n\nShould the name be free for a new project in the meantime?',
    },
    ['acceptance_criteria'],
  ],
  [
    'a choice of technology beside criteria that name faults',
    {
      title: 'Keep the settings across restarts',
      body: 'The settings are lost. Should we use SQLite or a JSON file? We have not decided yet.\n\n## Acceptance criteria\n- a changed setting is there after a restart\n- a broken file is reported and does not crash the program\n- tests cover an empty and a broken store',
    },
    ['tech_stack'],
  ],
  [
    'a choice in plain words that nobody has made',
    {
      title: 'Remember the layout',
      body: "The panels keep their width after a reload. We store it either in a file or in the browser's storage, we have not decided yet.\n\n- a width below 100 px is refused\n- a reset brings the old widths back",
    },
    ['tech_stack'],
  ],
  [
    'a choice that is not about technology, made by nobody',
    {
      title: 'Archive old orders',
      body: 'Orders older than two years move to the archive. Either drafts or cancelled orders are left out. This is still open.\n\n- an archived order can be read\n- an archived order is read-only',
    },
    ['scope'],
  ],
  [
    'several ways side by side, none chosen',
    {
      title: 'Wait for the mail server before the first send',
      body: 'The worker starts faster than the mail server and loses the first messages. Perhaps the worker could retry, perhaps the server could tell when it is ready, or something else.',
      labels: ['enhancement'],
    },
    ['acceptance_criteria'],
  ],
  ['a decision about technology in the title', { title: 'deciding DB', body: '' }, ['tech_stack']],
  [
    'a debt without an end, however well described',
    {
      title: 'Billing tech debt',
      body: 'Changes that touch quality, naming and structure, or code that needs to be refactored. The behaviour of invoices should stay the same in most cases.',
    },
    ['acceptance_criteria', 'validation', 'scope'],
  ],
  [
    'a library without a name',
    {
      title: 'Use a library for date parsing',
      body: 'Our own parser has grown, and months in other languages are missing.',
    },
    ['tech_stack'],
  ],
  [
    'wording without an end in the words of a question',
    { title: 'Redesign of the settings?', body: 'It looks dated.' },
    ['acceptance_criteria', 'validation', 'scope'],
  ],
  [
    'a question about technology under a bare title',
    { title: 'Queue', body: 'Which queue will be used for the mails?\n\n- RabbitMQ\n- Redis' },
    ['tech_stack'],
  ],
  [
    'the words of a template for proposals',
    {
      title: 'RFC: calendar',
      body: '**Author:** (your names)\n\n## Summary\n\nOne paragraph explanation of the feature.\n\n## Motivation\n\nWhy are we doing this? What use cases does it support?',
    },
    ['acceptance_criteria', 'validation', 'context'],
  ],
  [
    'words that point elsewhere',
    { title: 'The export thing', body: 'As discussed in the meeting.' },
    ['acceptance_criteria', 'validation', 'context'],
  ],
];

describe('gaps', () => {
  it.each(open)('GAP-2 are found in %s', (_, draft, gaps) => {
    expect(gapsOf(draft).sort()).toEqual([...gaps].sort());
  });

  it.each(['should', 'go', 'rest', 'after', 'issue', 'test', 'node', 'spring'])(
    'GAP-2 the word "%s" alone is not evidence',
    (word) => {
      const bare = gapsOf({ title: 'Frobnicator', body: 'We want it.' });
      expect(gapsOf({ title: 'Frobnicator', body: `We want it. ${word}.` })).toEqual(bare);
    },
  );

  it('GAP-2 an untouched template is not evidence', () => {
    const template =
      "**Describe the bug**\nA clear and concise description of what the bug is.\n\n**To Reproduce**\nSteps to reproduce the behavior:\n1. Go to '...'\n2. Click on '....'\n4. See error\n\n**Expected behavior**\nA clear and concise description of what you expected to happen.\n\n**Desktop (please complete the following information):**\n - OS: [e.g. iOS]\n";
    expect(gapsOf({ title: 'Crash', body: template })).toEqual(gapsOf({ title: 'Crash', body: '' }));
  });

  it.each([
    '## Acceptance criteria\n\n_No response_',
    '## Acceptance criteria\nN/A',
    '## Acceptance criteria\n<!-- write them here\nover two lines -->',
    '## Acceptance criteria\n- [ ] AC 1\n- [ ] AC 2',
    '## Checks\n- [x] I have searched the existing issues\n- [x] I agree to follow the Code of Conduct',
    '## Done when\n- [ ] Feature works as expected\n- [ ] Tests pass\n- [ ] Reviewed and merged',
    '```shell\n\n```',
  ])('GAP-2 empty or generic sections are not evidence: %j', (body) => {
    expect(gapsOf({ title: 'Add reports', body })).toContain('acceptance_criteria');
  });

  it('GAP-2 a number limits an open-ended scope', () => {
    const body = 'Search takes 9 s with 1 million rows. It has to be below 1 s at the 95th percentile.';
    expect(gapsOf({ title: 'Improve search performance', body })).toEqual([]);
  });

  it('GAP-2 a link names the other work', () => {
    const body = 'Delete the old route and its tests in `src/routes/old.ts`.\nBlocked by #12.';
    expect(gapsOf({ title: 'Remove the old route', body })).toEqual([]);
    expect(gapsOf({ title: 'Remove the old route', body: body.replace('#12', 'the other team') })).toEqual([
      'dependencies',
    ]);
  });

  it('GAP-2 a colour is not a link', () => {
    const { evidence } = report({
      title: 'Theme',
      body: 'Links get the colour #123, see #45 and acme/site#46.',
    });
    expect(evidence.filter(({ kind }) => kind === 'linked_issue').map(({ text }) => text)).toEqual([
      '#45',
      'acme/site#46',
    ]);
  });

  it('GAP-2 the manifests close a choice of technology', () => {
    const draft = {
      title: 'Tests for the parser',
      body: '- the empty file is no error\n- a file without a header is refused\n- 10 MB are read in less than 1 s\n\nMaybe with jest or vitest?',
    };
    const stack = {
      languages: ['TypeScript'],
      frameworks: [],
      testRunners: ['vitest'],
      manifests: ['package.json'],
    };
    expect(gapsOf(draft)).toEqual(['tech_stack']);
    expect(gapsOf(draft, { stack })).toEqual([]);
    // A repository that uses both has not chosen.
    expect(gapsOf(draft, { stack: { ...stack, testRunners: ['vitest', 'jest'] } })).toEqual(['tech_stack']);
  });

  it('GAP-2 other work is identified by a link in its line or next to it, not by any link', () => {
    const body = (between: string) =>
      `Add a button "Export" that downloads the rows as CSV.\n\nBlocked until the new API is merged.${between}See #12.`;
    expect(gapsOf({ title: 'Export of reports', body: body('\n') })).not.toContain('dependencies');
    expect(gapsOf({ title: 'Export of reports', body: body('\n\n\n') })).toContain('dependencies');
  });

  it('GAP-2 a choice that the text makes is not open', () => {
    const body =
      'RabbitMQ or Redis? We decided to use Redis: it is there already. Five tries, then the message is parked.';
    expect(gapsOf({ title: 'Queue for mails', body })).not.toContain('tech_stack');
  });

  it('GAP-2 a dependency in time is distinguished from a trigger', () => {
    const body = 'After the migration to the new server, login fails with "invalid token" for every account.';
    expect(gapsOf({ title: 'Login fails', body })).toEqual([]);
  });

  it('GAP-2 evidence is kept with its kind, its place and its weight', () => {
    const { gaps } = report({ title: 'Improve search', body: 'Hello\n\nPlease make everything faster.' });
    const scope = gaps.find(({ gap_type }) => gap_type === 'scope');
    expect(scope?.evidence).toContainEqual({
      kind: 'unbounded',
      in: 'title',
      line: 1,
      column: 1,
      text: 'Improve search',
      weight: 1,
    });
    expect(scope?.evidence).toContainEqual(
      expect.objectContaining({ kind: 'universal', in: 'body', line: 3, column: 13, text: 'everything' }),
    );
  });

  it('GAP-2 the score is what is left of 100', () => {
    expect(report({ title: 'Rename `a` to `b`' }).score).toBe(100);
    expect(report({ title: 'Add dark mode', body: 'Would be nice!' }).score).toBe(45);
  });
});
