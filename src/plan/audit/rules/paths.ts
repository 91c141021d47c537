import { planPath } from '../../grammar/master.ts';
import type { Rule } from '../rule.ts';
import { phaseFiles } from '../rule.ts';

export const noNotesOutput: Rule = {
  code: 'NO_NOTES_OUTPUT',
  severity: 'error',
  summary: 'a phase does not say where to write its notes',
  *check(plan) {
    for (const { phase, file } of phaseFiles(plan)) {
      if (file.notes.output) continue;
      yield {
        message: `Phase ${phase.id} has no notes output path.`,
        suggestion: `Add to ## Process Wrapper: - [ ] Write notes to: \`${notesPath(phase.id)}\``,
        file: file.path,
        span: file.sections.process ?? file.span,
      };
    }
  },
};

/** The default path for a phase's notes. */
export function notesPath(id: string): string {
  return `notes/NOTES_phase_${id}.md`;
}

export const pathOutsidePlan: Rule = {
  code: 'PATH_OUTSIDE_PLAN',
  severity: 'error',
  summary: "a phase's file or notes are outside the plan's folder",
  *check(plan) {
    yield* plan.problems.filter(({ code }) => code === 'PATH_OUTSIDE_PLAN');
    for (const { phase, file } of phaseFiles(plan)) {
      const { output } = file.notes;
      const target = output && planPath(output.path);
      if (!target || !('outside' in target)) continue;
      yield {
        message: `Phase ${phase.id} writes its notes to ${output.path}, which is outside the plan's folder.`,
        suggestion: `Use a relative path inside it, for example ${notesPath(phase.id)}`,
        file: file.path,
        span: output.span,
      };
    }
  },
};
