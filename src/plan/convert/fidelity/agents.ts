import type { FactRule } from './fact.ts';

const patterns = [
  /\bAGENT:\s*([\w-]+)/g,
  /`([\w-]+)`\s+(?:sub-?)?agents?\b/gi,
  /\b(?:sub-?)?agents?:?\s+`([\w-]+)`/gi,
  /@(?:agent-)([\w-]+)/gi,
  // Without quotes, accepts only names that sound like a job, such as "-reviewer" or "-architect".
  /\b([a-z]+(?:-[a-z]+)*-(?:[a-z]+(?:er|or|ist|ert|ect)|agent|bot))\s+(?:sub-?)?agents?\b/gi,
];

/** Agents that the source assigns work to. */
export const agents: FactRule = {
  kind: 'agent',
  *find(lines) {
    for (const { text, line } of lines)
      for (const pattern of patterns)
        for (const [, name = ''] of text.matchAll(pattern)) yield { text: name, line };
  },
  isKept: (name, plan) => plan.words.has(name.toLowerCase()) || plan.text.includes(name.toLowerCase()),
};
