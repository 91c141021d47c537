/** A block of an answer. */
export const block = (name: string, content: string) => `---FILE: ${name}---\n${content}\n---END FILE---\n`;

export const MASTER = block(
  'MASTER_PLAN.md',
  '# Shop - Master Plan\n\n## Phases\n\n| Phase | Title | Focus | Risk | Status |\n|---|---|---|---|---|\n| 1 | [Start](phase-1.md) | all | Low | Pending |',
);

/** A phase without audit findings. */
export const phase = (title = 'Start') =>
  block(
    'phase-1.md',
    `# Phase 1: ${title}\n\n**Status:** Pending\n**Depends On:** N/A\n\n## Process Wrapper\n\n- [ ] Write notes to: \`notes/NOTES_phase_1.md\`\n\n## Gates\n\n- tests: \`node --test\`\n\n## Tasks\n\n- [ ] 1.1: Do it`,
  );

/** A whole answer that passes. */
export const PLAN = `${MASTER}\n${phase()}`;

/** A plan whose phase has neither gates nor notes. */
export const BAD_PLAN = `${MASTER}\n${block('phase-1.md', '# Phase 1: Start\n\n## Tasks\n\n- [ ] 1.1: Do it')}`;
