import { describe, expect, it } from 'vitest';
import { gapsOf, report } from './support.ts';

describe('gaps', () => {
  it.each([
    [
      'an epic that waits for its content',
      'New API',
      'All work on the new API goes here. A placeholder so far.',
    ],
    ['wording without an end', 'Improve the search', 'Make everything better.'],
    ['something to discuss', 'Filters', 'Perhaps they apply to results too, to be discussed further.'],
    ['a choice that is not about technology', 'Archive', 'Either drafts or cancelled orders are left out.'],
    ['a question', 'Soft delete', 'Should the name be free for a new project in the meantime?'],
  ])('ATT-3 GAP-2 %s leaves the scope open', (_, title, body) => {
    expect(gapsOf({ title, body })).toContain('scope');
  });

  it.each([
    ['Queue for mails', 'We could use RabbitMQ or Redis, not sure yet.'],
    ['Decide which database to use', 'sqlite or postgres'],
    ['Queue', 'Which queue will be used for the mails?\n\n- RabbitMQ\n- Redis'],
    ['Send it as PDF', 'puppeteer or pdfkit, not decided yet'],
    ['Set up integration with Stripe or PayPal', ''],
    ['deciding DB', ''],
  ])('ATT-3 GAP-2 a choice of technology is open: %s', (title, body) => {
    expect(gapsOf({ title, body })).toContain('tech_stack');
  });

  it.each(['should', 'go', 'rest', 'after', 'issue', 'test', 'node', 'spring'])(
    'GAP-2 the word "%s" alone is not evidence',
    (word) => {
      const bare = gapsOf({ title: 'Frobnicator', body: 'We want it.' });
      expect(gapsOf({ title: 'Frobnicator', body: `We want it. ${word}.` })).toEqual(bare);
    },
  );

  it('GAP-2 silence about technology, dependencies and tests is normal', () => {
    const gaps = gapsOf({ title: 'Add dark mode', body: 'Would be nice.' });
    expect(gaps).not.toContain('tech_stack');
    expect(gaps).not.toContain('dependencies');
  });

  const template =
    "**Describe the bug**\nA clear and concise description of what the bug is.\n\n**To Reproduce**\nSteps to reproduce the behavior:\n1. Go to '...'\n2. Click on '....'\n4. See error\n\n**Expected behavior**\nA clear and concise description of what you expected to happen.\n\n**Desktop (please complete the following information):**\n - OS: [e.g. iOS]\n";

  it('ATT-3 GAP-2 a template that was sent in unfilled is asked about, and says so', () => {
    const { gaps } = report({ title: 'Crash', body: template });
    expect(gaps.map((gap) => gap.gap_type)).toEqual(
      expect.arrayContaining(['acceptance_criteria', 'validation', 'context']),
    );
    expect(gaps[0]?.context).toContain('Empty: "');
  });

  it.each([
    '## Acceptance criteria\n\n_No response_',
    '## Acceptance criteria\nN/A',
    '## Acceptance criteria\n<!-- write them here\nover two lines -->',
    '## Acceptance criteria\n- [ ] AC 1\n- [ ] AC 2',
    '## Checks\n- [x] I have searched the existing issues\n- [x] I agree to follow the Code of Conduct',
    '## Done when\n- [ ] Feature works as expected\n- [ ] Tests pass\n- [ ] Reviewed and merged',
    '```shell\n\n```',
    '```ts\n// Your report is handled quickly if the sample is short\n```',
  ])('GAP-2 empty or generic sections are not evidence: %j', (body) => {
    expect(gapsOf({ title: 'Add reports', body })).toContain('acceptance_criteria');
  });

  it('GAP-2 a target closes what done means, how it is checked, and the scope', () => {
    const open = { title: 'Improve search performance', body: 'Search takes 9 s with 1 million rows.' };
    expect(gapsOf(open)).toContain('acceptance_criteria');
    expect(gapsOf({ ...open, body: `${open.body} It has to be below 1 s at the 95th percentile.` })).toEqual(
      [],
    );
  });

  it('GAP-2 a link names the other work', () => {
    const body = 'Delete the old route and its tests in `src/routes/old.ts`.\nBlocked by #12.';
    expect(gapsOf({ title: 'Remove the old route', body })).toEqual([]);
    expect(gapsOf({ title: 'Remove the old route', body: body.replace('#12', 'the other team') })).toEqual([
      'dependencies',
    ]);
  });

  it('GAP-2 a colour is not a link', () => {
    const body = (link: string) => `Links get the colour ${link}. Blocked by the other team.`;
    expect(gapsOf({ title: 'Theme', body: body('#123') })).toContain('dependencies');
    expect(gapsOf({ title: 'Theme', body: body('of acme/site#46') })).not.toContain('dependencies');
  });

  it('GAP-2 other work is identified by a link in its line or next to it, not by any link', () => {
    const body = (between: string) =>
      `Add a button "Export" that downloads the rows as CSV.\n\nBlocked until the new API is merged.${between}See #12.`;
    expect(gapsOf({ title: 'Export of reports', body: body('\n') })).not.toContain('dependencies');
    expect(gapsOf({ title: 'Export of reports', body: body('\n\n\n') })).toContain('dependencies');
  });

  it('GAP-2 work about blocking waits for nothing', () => {
    const body = 'A task is blocked by tasks that are not done.';
    expect(gapsOf({ title: 'Show blocked tasks in the board', body })).not.toContain('dependencies');
  });

  it('GAP-2 the manifests close a choice of technology', () => {
    const draft = { title: 'Tests for the parser', body: 'Maybe with jest or vitest?' };
    const stack = {
      languages: ['TypeScript'],
      frameworks: [],
      testRunners: ['vitest'],
      manifests: ['package.json'],
    };
    expect(gapsOf(draft)).toContain('tech_stack');
    expect(gapsOf(draft, { stack })).not.toContain('tech_stack');
    // A repository that uses both has not chosen.
    const both = { ...stack, testRunners: ['vitest', 'jest'] };
    expect(gapsOf(draft, { stack: both })).toContain('tech_stack');
  });

  it('GAP-2 a choice that the text makes is not open', () => {
    const body = 'RabbitMQ or Redis? We decided to use Redis: it is there already.';
    expect(gapsOf({ title: 'Queue for mails', body })).not.toContain('tech_stack');
  });

  it('GAP-2 an answer in a comment closes a gap', () => {
    const draft = { title: 'Export is broken', body: 'Export is broken for us.' };
    expect(gapsOf(draft)).toContain('validation');
    const steps =
      'Steps to reproduce:\n1. open a report with no rows\n2. press Export\n\n```\nRangeError: Invalid array length\n    at rows (src/export.ts:9:3)\n```';
    expect(gapsOf({ ...draft, comments: [steps] })).toEqual([]);
  });

  it('GAP-2 a question in a comment opens none', () => {
    const draft = { title: 'Rename `a` to `b`', body: '' };
    expect(gapsOf({ ...draft, comments: ['Should we use Redis or Postgres? To be discussed.'] })).toEqual([]);
  });

  it('GAP-2 evidence is kept with its rule, its place and its strength', () => {
    const { gaps } = report({ title: 'Improve search', body: 'Hello\n\nPlease make everything faster.' });
    const scope = gaps.find(({ gap_type }) => gap_type === 'scope');
    expect(scope?.evidence).toContainEqual({
      kind: 'vague',
      in: 'title',
      line: 1,
      column: 1,
      text: 'Improve search',
      weight: 1,
    });
    expect(scope?.evidence).toContainEqual(
      expect.objectContaining({
        kind: 'vague',
        in: 'body',
        line: 3,
        column: 8,
        text: 'make everything faster.',
      }),
    );
  });

  it('GAP-2 the score is what is left of 100', () => {
    expect(report({ title: 'Rename `a` to `b`' }).score).toBe(100);
    expect(report({ title: 'Add dark mode', body: 'Would be nice!' }).score).toBe(45);
  });
});
