import type { Gate } from '../../grammar/plan.ts';
import { hasPlaceholder } from '../placeholders.ts';
import type { Rule, Surroundings } from '../rule.ts';
import { phaseFiles } from '../rule.ts';
import { canFail, programsIn } from '../shell.ts';

export const missingGates: Rule = {
  code: 'MISSING_GATES',
  severity: 'error',
  summary: 'a phase has no gate command under `## Gates`',
  *check(plan) {
    for (const { phase, file } of phaseFiles(plan)) {
      if (file.gates.length > 0) continue;
      yield {
        message: `Phase ${phase.id} has no gates defined, so nothing can show that it is done.`,
        suggestion: 'Add a "## Gates" section with commands, for example: - tests: `npm test`',
        file: file.path,
        span: file.sections.gates ?? file.span,
      };
    }
  },
};

export const gateCannotFail: Rule = {
  code: 'GATE_CANNOT_FAIL',
  severity: 'error',
  summary: 'a gate has no command, or one that always succeeds (`true`, `echo …`, `… || true`)',
  *check(plan) {
    for (const { phase, file } of phaseFiles(plan)) {
      for (const { name, command, span } of file.gates) {
        if (command !== null && (canFail(command) || hasPlaceholder(command))) continue;
        yield {
          message:
            command === null
              ? `Gate "${name}" of phase ${phase.id} has no command, so it cannot fail.`
              : `Gate "${name}" of phase ${phase.id} cannot fail: ${command}`,
          suggestion: 'Write a command that fails until the phase is done: - name: `command`',
          file: file.path,
          span,
        };
      }
    }
  },
};

export const gateNotRunnable: Rule = {
  code: 'GATE_NOT_RUNNABLE',
  severity: 'warning',
  summary: "a gate's program is not found, or its script is missing from the project's manifest",
  *check(plan, surroundings) {
    for (const { phase, file } of phaseFiles(plan)) {
      for (const gate of file.gates) {
        const missing = missingIn(gate, surroundings);
        if (missing === undefined) continue;
        yield {
          message: `Gate "${gate.name}" of phase ${phase.id} cannot run here: ${missing}.`,
          suggestion: 'Correct the command, or install what it needs before you run the plan.',
          file: file.path,
          span: gate.span,
        };
      }
    }
  },
};

function missingIn({ command }: Gate, { programs, scripts }: Surroundings): string | undefined {
  if (command === null || hasPlaceholder(command)) return undefined;
  for (const { words } of programsIn(command)) {
    const [program = ''] = words;
    if (programs && !programs.has(program)) return `the program ${program} is not found`;
    const script = scripts && scriptOf(words);
    if (script && !scripts.has(script)) return `package.json has no script "${script}"`;
  }
  return undefined;
}

const runners = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const shorthands = new Set(['test', 'start', 't', 'tst']);

/** The script that `npm run NAME` or `npm test` means. */
function scriptOf([program = '', ...rest]: string[]): string | undefined {
  if (!runners.has(program)) return undefined;
  const [verb, name] = rest.filter((word) => !word.startsWith('-'));
  // With an option before it, the option's value could be taken for the verb; with --prefix it is another manifest.
  if (
    verb === undefined ||
    rest[0] !== verb ||
    rest.some((word) => /^(?:--prefix|-C|--filter|-w|--workspace|-r)/.test(word))
  )
    return undefined;
  if (verb === 'run' || verb === 'run-script') return name;
  return program !== 'bun' && shorthands.has(verb) ? verb.replace(/^(?:t|tst)$/, 'test') : undefined;
}
