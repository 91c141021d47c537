import { ann, claude, codex } from './actors.mjs';

const tasks = [
  { id: 'checkout/1', title: 'Cart in the database' },
  { id: 'checkout/2', title: 'Taxes on the invoice', dependsOn: ['checkout/1'] },
  { id: 'checkout/3', title: 'Payment by card', dependsOn: ['checkout/1'] },
];

const issues = [
  {
    number: 17,
    title: 'Remind customers of open orders',
    body: 'Some customers forget their cart. We should remind them.',
  },
  { number: 23, title: 'Search fails', body: 'Customers say that the search fails.' },
];

/** An answer that applies by itself, an approval, and what two issues leave open. */
export function webshopStory({ ledger, words, project }) {
  const ask = async (input, by) =>
    (await ledger.notifications.create({ projectId: project, ...input }, by)).notification;
  let taxes;
  return [
    {
      minutesAgo: 240,
      happen: () => ledger.tasks.ensure(project, inProject(tasks, project), new Set(['checkout/1']), ann),
    },
    ...gapsIn(issues, words).map((question, index) => ({
      minutesAgo: 191 - 87 * index,
      happen: () => ask({ source: 'gap', sourceId: 'issues', questions: [question] }, ann),
    })),
    {
      minutesAgo: 34,
      happen: async () => {
        taxes = await ask(
          {
            source: 'execute',
            sourceId: 'checkout/2',
            questions: [
              {
                ...{ id: 'taxes', text: 'Round taxes per line or per invoice?' },
                options: [{ label: 'Per line' }, { label: 'Per invoice' }],
              },
            ],
            policy: { kind: 'default', after: 2 * 60 * 60, answers: { taxes: 'Per invoice' } },
          },
          codex,
        );
      },
    },
    { minutesAgo: 31, happen: () => ledger.notifications.acceptProposal(project, taxes.id, ann) },
    {
      minutesAgo: 5,
      happen: () =>
        ask(
          {
            source: 'approval',
            sourceId: 'checkout/3',
            questions: [
              words.permissionQuestion({ tool: 'Bash', input: { command: 'npm install stripe@18' } }),
            ],
          },
          claude,
        ),
    },
  ];
}

const inProject = (inputs, projectId) => inputs.map((input) => ({ projectId, ...input }));

/** One question about each issue. */
function gapsIn(about, { analyzeIssues, asLedgerQuestion }) {
  const { questions } = analyzeIssues(about);
  return about.map(({ number }) =>
    asLedgerQuestion(questions.find((question) => question.issues.includes(number))),
  );
}
