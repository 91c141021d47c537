import type { AgentDriver, AgentSetup } from '../../../src/agents/driver.ts';
import type { Mood } from './mood.ts';

/** A question in the words of the suite; an adapter puts it into those of its agent. */
export interface PlotQuestion {
  question: string;
  header: string;
  options: string[];
  multi?: boolean;
}

/** One message of the agent's model. */
export type Round =
  /** Calls that ask, all in one message, each with its questions. */
  | { ask: PlotQuestion[][] }
  /** Asks, then withdraws the question itself. */
  | { takeBack: PlotQuestion }
  /** A shell command that needs permission. */
  | { run: string };

/** What the agent does: round by round, then it says DONE. */
export type Plot = Round[];
export const DONE = 'DONE';
/** The file that the sub-agent of a play makes. */
export const MADE_BY_SUB_AGENT = 'made-by-sub-agent';

/** A plot, or what only some agents can do, in the words of their model. */
export type Play = Plot | 'background command' | 'sub-agent' | 'beside a sub-agent';

/** An answer as the agent's model was told it. */
export interface Told {
  text: string;
  /** The call whose result it was; undefined if it came as a message. */
  callId?: string;
}

/** An agent with its script, and what its model has learned. */
export interface World {
  setup: AgentSetup;
  /** What the model was told about this question or with these words, each time that it was. */
  told(words: string): Told[];
  /** Of a real CLI's model. */
  mood?: Mood;
  close(): Promise<void> | void;
}

/** A part of the suite that needs several starts of the agent. */
export type Part =
  /** It works after its turn has ended. */
  | 'background'
  /** The model fails while a question is open. */
  | 'outage while asking'
  /** It is killed, or its model fails, right after an answer. */
  | 'after the answer';

/** What happens to an agent with a question open, in this order. */
export const ENDINGS = [
  'Fermata is killed',
  'nobody answers',
  'interrupted',
  'the agent is killed',
  'stopped',
] as const;
export type Ending = (typeof ENDINGS)[number];

/** How a driver joins the suite. What its agent cannot do is a typed outcome, not a gap in the table. */
export interface DriverUnderTest {
  title: string;
  /** The program and version under which outcomes are recorded. */
  recordedAs?: string;
  driver: AgentDriver;
  abilities: {
    asks: boolean;
    /** Several calls of one message are open at once. */
    atOnce: boolean;
    takesBack: boolean;
    parks: boolean;
    permits: boolean;
    /** It takes messages while it works. */
    hears?: boolean;
    /**
     * Shows whether it took a message that comes in the last moment of a turn. The stand-in keeps no transcript, and Codex 0.115.0
     * may not end that turn.
     */
    hearsAtEnd?: boolean;
    /** A command continues after the turn ends, and wakes the agent. */
    background?: boolean;
    subAgents?: boolean;
    /** The model can fail in a way that the suite chooses. */
    fails?: boolean;
  };
  /** How long after its question a killed session can be resumed. */
  savedAfterMs: number;
  /** What `npm test` leaves to `npm run test:long`, because another version or another test proves the same there. */
  inLong?: readonly Part[];
  /** Which endings `npm test` has, if not all: another version has the others there. */
  endings?: readonly Ending[];
  open(play: Play, skip: (note: string) => never): Promise<World>;
}
