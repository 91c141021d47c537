import { ann, claude, codex, LEASE_SECONDS } from './actors.mjs';
import { testingGate, variantsGate } from './library-gates.mjs';
import { libraryRun } from './library-run.mjs';

const phases = [
  { id: 'opening-hours/1', title: 'Table for opening hours' },
  { id: 'opening-hours/2', title: 'Store hours per branch', dependsOn: ['opening-hours/1'] },
  { id: 'opening-hours/3', title: 'Show hours on the branch page', dependsOn: ['opening-hours/1'] },
  { id: 'opening-hours/4', title: 'Hours in the public API', dependsOn: ['opening-hours/2'] },
  { id: 'opening-hours/5', title: 'Import of public holidays', dependsOn: ['opening-hours/1'] },
  {
    ...{ id: 'opening-hours/6', title: 'Remind when a branch closes early', priority: 3 },
    dependsOn: ['opening-hours/3', 'opening-hours/4', 'opening-hours/5'],
  },
];

/**
 * A plan at work: the agent of one phase asks, one phase waits to be tested, one has variants. Adds to `shown` what the
 * pictures show.
 */
export function libraryStory({ ledger, words, project, shown }) {
  const ask = async (input, by) =>
    (await ledger.notifications.create({ projectId: project, ...input }, by)).notification;
  const add = (task) => ledger.tasks.add({ projectId: project, ...task }, ann);
  return [
    {
      minutesAgo: 12 * 60,
      happen: () => {
        const inputs = phases.map((phase) => ({ projectId: project, ...phase }));
        return ledger.tasks.ensure(project, inputs, new Set(), ann);
      },
    },
    { minutesAgo: 600, happen: () => add({ id: 'chores/1', title: 'Upgrade the mailer', priority: 1 }) },
    { minutesAgo: 599, happen: () => add({ id: 'chores/2', title: 'Faster tests on CI', priority: 3 }) },
    { minutesAgo: 181, happen: () => ledger.tasks.endPhase(project, 'opening-hours/1', ann) },
    {
      minutesAgo: 96,
      happen: () =>
        ask(
          {
            source: 'plan',
            sourceId: 'catalogue',
            questions: [
              {
                text: 'Which test framework do we use?',
                options: [{ label: 'vitest' }, { label: 'node:test' }],
              },
              { text: 'Do we keep the old catalogue pages?', options: [{ label: 'Yes' }, { label: 'No' }] },
              { text: 'Who may edit an entry?' },
            ],
          },
          claude,
        ),
    },
    {
      minutesAgo: 48,
      happen: async () => {
        shown.variants = await ask(variantsGate(words), ann);
      },
    },
    {
      minutesAgo: 27,
      happen: async () => {
        shown.testing = await ask(testingGate(words), ann);
      },
    },
    {
      minutesAgo: 10,
      happen: () =>
        ledger.tasks.claim(project, 'chores/1', { worker: 'codex', leaseSeconds: LEASE_SECONDS }, codex),
    },
    ...libraryRun({ ledger, project, ask, shown }),
  ];
}
