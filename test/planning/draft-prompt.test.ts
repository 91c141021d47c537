import { expect, it } from 'vitest';
import { draftPrompt } from '../../src/planning/draft/prompt.ts';
import { assessVagueness } from '../../src/planning/draft/vagueness.ts';
import { presets } from '../../src/schema/autonomy-words.ts';

it('LED-10 ADP-1 who drafts a plan knows how much it may decide alone, whether it may ask or not', () => {
  const stack = { languages: [], frameworks: [], testRunners: [], manifests: [] };
  const idea = 'A shop';
  for (const adaptive of [true, false]) {
    const request = { idea, adaptive, tool: 'AskUserQuestion', vagueness: assessVagueness(idea), stack };
    const prompt = draftPrompt({ ...request, hilConfig: presets.major_only });
    expect(prompt).toContain('- Architecture decisions: Confirm all changes before proceeding\n');
    expect(prompt).toContain('- Dependency modifications: Full autonomy: proceed without confirmation\n');
    expect(prompt.includes('Use the tool AskUserQuestion')).toBe(adaptive);
  }
});
