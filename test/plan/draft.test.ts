import { expect, it } from 'vitest';
import { assessVagueness, draftPrompt } from '../../src/plan/draft.ts';
import { presets } from '../../src/schema/autonomy-words.ts';

it('LED-10 ADP-1 the agent that drafts a plan is told how much it may decide alone, whether it may ask or not', () => {
  const stack = { languages: [], frameworks: [], testRunners: [], manifests: [] };
  const idea = 'A shop';
  for (const adaptive of [true, false]) {
    const request = { idea, adaptive, tool: 'AskUserQuestion', vagueness: assessVagueness(idea), stack };
    const prompt = draftPrompt({ ...request, hilConfig: presets.major_only, decisions: [], own: {} });
    expect(prompt).toContain('- Architecture decisions: Confirm all changes before proceeding\n');
    expect(prompt).toContain('- Dependency modifications: Full autonomy: proceed without confirmation\n');
    expect(prompt.includes('Use the tool AskUserQuestion')).toBe(adaptive);
  }
});

it('INTER-07 standard mode says not to ask; outside the parts about asking, both modes have the same prompt', () => {
  const stack = { languages: [], frameworks: [], testRunners: [], manifests: [] };
  const [adaptive, standard] = [true, false].map((mode) =>
    draftPrompt({
      idea: 'A shop',
      adaptive: mode,
      tool: 'AskUserQuestion',
      vagueness: assessVagueness('A shop'),
      stack,
      hilConfig: presets.major_only,
      decisions: [],
      own: {},
    }),
  );
  expect(standard).toContain('Do not ask questions.');
  expect(standard).not.toContain('AskUserQuestion');
  const same = (prompt = '') => [prompt.split('# Questions')[0], prompt.split('# The answer')[1]];
  expect(same(standard)).toEqual(same(adaptive));
});
