import { ann } from './actors.mjs';

const approaches = [
  {
    ...{ agent: 'frontend', number: 1, variant: 'A' },
    description: 'Draw the tiles on a canvas, as the route planner does',
  },
  {
    ...{ agent: 'frontend', number: 1, variant: 'B' },
    description: 'Use the map component of the design system',
  },
];

/** A review of approaches that has waited since yesterday, and a question about feedback. */
export function atlasStory({ ledger, words, project }) {
  const ask = (input) => ledger.notifications.create({ projectId: project, ...input }, ann);
  return [
    {
      minutesAgo: 25 * 60,
      happen: () =>
        ask({
          source: 'gate',
          sourceId: 'maps/findings',
          gate: {
            ...{ kind: 'findings', plan: 'maps', round: 1, file: 'gates/maps-findings-findings-1.yaml' },
            material: approaches.map((approach) =>
              words.textMaterial(words.approachId(approach), approach.description),
            ),
          },
          questions: words.approvalQuestions('findings', 'maps', approaches),
        }),
    },
    {
      minutesAgo: 160,
      happen: () =>
        ask({
          source: 'eval',
          sourceId: 'slow-map',
          questions: [
            {
              text: 'Is the map slow at first, or whenever it moves?',
              options: [{ label: 'At first' }, { label: 'Whenever it moves' }],
            },
          ],
        }),
    },
  ];
}
