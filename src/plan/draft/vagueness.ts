import { counted } from '../../schema/counted.ts';
/** How unclear a request is, and why. */
export interface Vagueness {
  vague: boolean;
  /** 0 is clear, 1 is as vague as it gets. */
  score: number;
  reasons: string[];
}

const indefinite = 'something anything somehow someway stuff things thingy whatever etc various some-kind';
const uncertain = 'maybe perhaps possibly probably basically kinda sorta roughly ideally';
const unbounded = 'better nicer improve improved everything all properly good great modern simple fast';
const words = (list: string) => new Set(list.split(' '));
const lists = [
  { words: words(indefinite), weight: 0.2, what: 'indefinite' },
  { words: words(uncertain), weight: 0.15, what: 'uncertain' },
  { words: words(unbounded), weight: 0.1, what: 'not measurable' },
];

/** Signs of a clear request: names, numbers, paths, code, quoted text. */
const specific = [
  /\b\w[\w-]{0,99}\.[a-z]{1,4}\b|(?:^|\s)\.{0,2}\/[\w./-]+/i, // a file or a path
  /`[^`]+`|"[^"]+"|'[^']{3,}'/, // code or quoted text
  /\b\d+(?:\.\d+)?\s?(?:%|ms|s|kb|mb|gb|rows?|users?|items?|px)?\b/i, // a number
  /\b[A-Z]{2,}[a-z]?\b|\b[a-z]+[A-Z]\w+\b|\b\w+_\w+\b|\b[A-Z][a-z]+[A-Z]\w*\b/, // REST, camelCase, snake_case, GraphQL
];

const missing = [
  {
    part: 'where it belongs (a component, page, file or interface)',
    sign: /\b(?:in|into|on|to|at|inside|within|for) (?:the|a|an|our|my|this|each|every)\b|\b(?:api|endpoint|page|screen|command|cli|module|service|library|table|database|app|server|client|component|form|button|function|class|test|tests)\b/i,
  },
  {
    part: 'why it is wanted, or for whom',
    sign: /\b(?:because|since|so that|in order to|so (?:we|users|people|i)|needs? to|for (?:users|customers|people|us|admins?|developers?|teams?)|as an? \w+|otherwise|currently|today)\b/i,
  },
];

/** A longer request has said what is wanted before this point. */
const MAX_LENGTH = 10_000;

/** Judges a request by whole words: what is vague in it, and whether it says what, where and why. */
export function assessVagueness(text: string): Vagueness {
  const request = text.slice(0, MAX_LENGTH);
  const found = request.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [];
  const reasons: string[] = [];
  let score = 0;
  const add = (points: number, reason?: string) => {
    score += points;
    if (reason) reasons.push(reason);
  };
  if (found.length < 5) add(0.55, `very short: ${counted(found.length, 'word')}`);
  else if (found.length < 12) add(0.2, `short: ${found.length} words`);
  for (const list of lists) {
    for (const word of new Set(found))
      if (list.words.has(word)) add(list.weight, `"${word}" is ${list.what}`);
  }
  if (found.length < 12 && /\?\s*$/.test(request)) add(0.2, 'a short question, not a request');
  for (const { part, sign } of missing) if (!sign.test(request)) add(0.1, `does not say ${part}`);
  const signs = specific.filter((sign) => sign.test(request)).length;
  add(-0.2 * signs);
  score = Math.min(1, Math.max(0, Math.round(score * 100) / 100));
  return { vague: score >= 0.5, score, reasons };
}
