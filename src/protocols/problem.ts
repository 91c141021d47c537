import { FermataError } from '../schema/error.ts';
import type { FilePosition } from './protocol.ts';

/** Something wrong in a protocol's file. A protocol with only warnings can be followed. */
export interface Problem extends FilePosition {
  severity: 'error' | 'warning';
  message: string;
}

export function errorAt(at: FilePosition, message: string): Problem {
  return { severity: 'error', ...at, message };
}

export function warningAt(at: FilePosition, message: string): Problem {
  return { severity: 'warning', ...at, message };
}

/** `.claude/protocols/mine.yaml:7:3: …` */
export function problemLine({ severity, file, line, column, message }: Problem): string {
  return `${file}:${line}:${column}: ${severity === 'warning' ? 'warning: ' : ''}${message}`;
}

const MAX_SHOWN = 20;

export function refuseErrors(problems: readonly Problem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const more = errors.length > MAX_SHOWN ? [`… and ${errors.length - MAX_SHOWN} more.`] : [];
  const lines = [...errors.slice(0, MAX_SHOWN).map(problemLine), ...more];
  throw new FermataError('invalid', lines.join('\n'), { details: errors });
}
