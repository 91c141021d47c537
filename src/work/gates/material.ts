import type { GateMaterial } from '../../schema/gate.ts';
import type { Notification } from '../../schema/notification.ts';
import type { GateRun, PhaseRecord } from '../../schema/phase-record.ts';
import { visible } from '../../schema/visible.ts';
import type { Material } from './fit-material.ts';

const MAX_OUTPUT_LENGTH = 4000;

/** The agents' walkthroughs, latest first. */
export function walkthroughMaterial(records: PhaseRecord[], variant: string | null): Material[] {
  return records
    .filter((each) => each.kind === 'implementation')
    .reverse()
    .slice(0, 10)
    .map(({ iteration, data }) =>
      piece('walkthrough', `Iteration ${iteration} (${data.type})`, String(data.walkthrough), variant),
    );
}

/** `whole` says where the full diff is. */
export function diffMaterial(diff: string, files: string, variant: string | null, whole: string): Material {
  return piece('diff', `Changes: ${files}`, diff, variant, whole);
}

export function gateRunMaterial(runs: GateRun[], variant: string | null): Material {
  const lines = runs.map(({ name, command, passed, problem, seconds, output }) => {
    const head = `${passed ? '✓' : '✗'} ${name}: ${command ?? '(no command)'} (${problem ?? 'passed'}, ${seconds.toFixed(1)} s)`;
    return passed ? head : `${head}\n${endOf(output)}`;
  });
  const passed = runs.filter((run) => run.passed).length;
  return piece('gates', `Gate commands: ${passed} of ${runs.length} passed`, lines.join('\n'), variant);
}

function endOf(output: string): string {
  const left = output.length - MAX_OUTPUT_LENGTH;
  return left > 0 ? `INCOMPLETE: the first ${left} characters are missing.\n${output.slice(left)}` : output;
}

/** Text to read, as Markdown. */
export function textMaterial(title: string, text: string, whole?: string): Material {
  return piece('text', title, text, null, whole);
}

/** What is approved, verbatim. */
export function verbatimMaterial(title: string, text: string, whole?: string): Material {
  return piece('verbatim', title, text, null, whole);
}

function piece(
  kind: GateMaterial['kind'],
  title: string,
  text: string,
  variant: string | null,
  whole?: string,
): Material {
  return { kind, title, text, ...(variant ? { variant } : {}), ...(whole ? { whole } : {}) };
}

/** All of it as one page for the person who fills in the file. */
export function materialText({ id, sourceId, gate }: Notification): string {
  const parts = (gate?.material ?? []).map(({ kind, title, text, variant }) => {
    const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    const body =
      kind === 'walkthrough' || kind === 'text'
        ? text
        : `${fence}${kind === 'diff' ? 'diff' : ''}\n${text}\n${fence}`;
    return `## ${variant ? `${variant}: ` : ''}${title}\n\n${visible(body)}\n`;
  });
  return [`# ${gate?.kind} gate of ${sourceId} (${id})\n`, ...parts].join('\n');
}
