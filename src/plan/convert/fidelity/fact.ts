import type { PlanText } from './plan-text.ts';
import type { SourceLine } from './source-lines.ts';

export type FactKind = 'agent' | 'technology' | 'command' | 'risk' | 'number' | 'path';

/** Something that a source says and a plan made from it must not lose. */
export interface Fact {
  text: string;
  line: number;
}

/** One kind of fact: how it is found in a source, and when a plan has it. */
export interface FactRule {
  kind: FactKind;
  find(lines: readonly SourceLine[]): Iterable<Fact>;
  isKept(text: string, plan: PlanText): boolean;
}
