import { ann, claude, LEASE_SECONDS } from './actors.mjs';

const zone = {
  header: 'Time zone',
  text: 'Where should the time zone of a branch come from?',
  context: `Opening hours are stored as local times. All six branches are in \`Europe/Berlin\`, but issue **#42** plans one in Lisbon.

- \`branches\` has no zone yet
- \`loans.due_at\` is in UTC`,
  options: [
    {
      label: 'A column on each branch',
      description: 'One migration, right from the start. Every form gets one more field.',
      preview: `alter table branches
  add column time_zone text
  not null default 'Europe/Berlin';

-- hours stay local:
-- 09:00 means 09:00 there`,
    },
    {
      label: 'One setting for the library',
      description: 'Nothing to fill in. Wrong on the day when Lisbon opens.',
      preview: `insert into settings (name, value)
  values ('time_zone', 'Europe/Berlin');`,
    },
    {
      label: 'From the postal address',
      description: 'No field, but a lookup table that has to be kept up to date.',
      preview: `create table postal_zones (
  country text not null,
  postal_code text not null,
  time_zone text not null
);`,
    },
  ],
  recommended: 'A column on each branch',
};

const noon = {
  id: 'noon',
  text: 'May a branch close over noon?',
  options: [{ label: 'Yes, a day may have several spans' }, { label: 'No, one span a day' }],
};

const usage = {
  ...{ inputTokens: 48_210, outputTokens: 3120, cacheReadTokens: 412_900, cacheCreationTokens: 18_400 },
  costUsd: 0.41,
};

/** The agent of phase 2 reads, asks, continues with the answer, and asks again. */
export function libraryRun({ ledger, project, ask, shown }) {
  const sourceId = 'opening-hours/2';
  const say = (minutesAgo, ...steps) => ({
    minutesAgo,
    happen: () => ledger.runs.report(shown.run, steps, claude),
  });
  const question = (of) =>
    ask(
      { source: 'execute', sourceId, questions: [of], resume: { agent: 'claude', run: shown.run.id } },
      claude,
    );
  let first;
  return [
    {
      minutesAgo: 32,
      happen: async () => {
        const run = { projectId: project, agent: 'claude', source: 'execute', sourceId, cwd: '' };
        const data = { for: 'task', purpose: 'work' };
        shown.run = await ledger.runs.start(
          { ...run, data },
          { worker: 'claude', leaseSeconds: LEASE_SECONDS },
          claude,
        );
      },
    },
    say(
      31,
      text('I read the plan of phase 2 and look at what is there.'),
      tool('Read src/branches/branch.ts'),
    ),
    say(30, tool('Grep "time zone|timezone" src')),
    say(
      29,
      text(
        'Hours are local times. The plan does not say whether a day can have more than one span, so I ask first.',
      ),
    ),
    {
      minutesAgo: 23,
      happen: async () => {
        first = await question(noon);
      },
    },
    {
      minutesAgo: 16,
      happen: async () => {
        const responses = [{ questionId: noon.id, answer: noon.options[0].label }];
        await ledger.notifications.resolve(project, first.id, { responses }, ann);
        await ledger.notifications.markDelivered(project, first.id, claude);
      },
    },
    say(15, tool('Write migrations/014-branch-hours.sql')),
    say(14, text('A day has **several spans** now: `branch_hours` has one row for each.'), {
      kind: 'usage',
      usage,
    }),
    {
      minutesAgo: 13,
      happen: async () => {
        shown.zone = await question(zone);
      },
    },
  ];
}

const text = (words) => ({ kind: 'text', text: words });
const tool = (call) => ({ kind: 'tool', tool: call });
