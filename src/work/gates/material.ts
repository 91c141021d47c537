import { printable } from '../../channels/printable.ts';
import type { GateMaterial } from '../../schema/gate.ts';
import type { Notification } from '../../schema/notification.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import type { GateRun } from '../phases/run-gates.ts';

const LONGEST = 100_000;
const LONGEST_OUTPUT = 4000;

/** What agents said that they did, the latest first. */
export function walkthroughMaterial(records: PhaseRecord[], variant: string | null): GateMaterial[] {
  return records
    .filter(({ kind }) => kind === 'implementation')
    .reverse()
    .slice(0, 10)
    .map(({ iteration, data }) =>
      piece('walkthrough', `Iteration ${iteration} (${data.type})`, String(data.walkthrough), variant),
    );
}

export function diffMaterial(diff: string, files: string, variant: string | null): GateMaterial {
  return piece('diff', `Changes: ${files}`, diff, variant);
}

export function gateRunMaterial(runs: GateRun[], variant: string | null): GateMaterial {
  const lines = runs.map(({ name, command, passed, problem, seconds, output }) => {
    const head = `${passed ? '✓' : '✗'} ${name}: ${command ?? '(no command)'} (${problem ?? 'passed'}, ${seconds.toFixed(1)} s)`;
    return passed ? head : `${head}\n${output.slice(-LONGEST_OUTPUT)}`;
  });
  const passed = runs.filter((run) => run.passed).length;
  return piece('gates', `Gate commands: ${passed} of ${runs.length} passed`, lines.join('\n'), variant);
}

export function textMaterial(title: string, text: string): GateMaterial {
  return piece('text', title, text, null);
}

function piece(
  kind: GateMaterial['kind'],
  title: string,
  text: string,
  variant: string | null,
): GateMaterial {
  const cut =
    text.length > LONGEST
      ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} characters left out …`
      : text;
  return { kind, title: title.slice(0, 200), text: cut, ...(variant ? { variant } : {}) };
}

/** All of it as one page for whoever fills in the file. */
export function materialText({ id, sourceId, gate }: Notification): string {
  const parts = (gate?.material ?? []).map(({ kind, title, text, variant }) => {
    const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    const body =
      kind === 'walkthrough' || kind === 'text'
        ? text
        : `${fence}${kind === 'diff' ? 'diff' : ''}\n${text}\n${fence}`;
    return `## ${variant ? `${variant}: ` : ''}${title}\n\n${printable(body)}\n`;
  });
  return [`# ${gate?.kind} gate of ${sourceId} (${id})\n`, ...parts].join('\n');
}
