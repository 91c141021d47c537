import type { Answer } from '../../schema/question.ts';

/** How near it is to a phase: about the phase or its issues, about the plan, or about the project. */
export type Nearness = 'phase' | 'plan' | 'project';

/** A person's answer. */
interface DecidedAnswer {
  id: string;
  question: string;
  answer: Answer;
  note: string | null;
  by: string;
  at: string;
  about: Nearness;
  /** The issues that it is about. */
  issues: number[];
}

/** What the plan assumes; no person has confirmed it. */
export interface DecidedAssumption {
  /** The unanswered question; null if the plan's author only wrote the assumption down. */
  question: string | null;
  assumption: string;
  reason: string | null;
  about: Nearness;
  issues: number[];
}

/** Everything that was decided about a phase. */
export interface Decided {
  /** Newest first. */
  decisions: DecidedAnswer[];
  assumptions: DecidedAssumption[];
  /** The issues that the phase covers; without a text if it is not on record. */
  issues: { number: number; title: string; text: string | null }[];
}
