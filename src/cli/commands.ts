import type { Command } from 'commander';

/** A command's module is loaded only when it is used, so that the others cost nothing at start. */
interface CommandEntry {
  name: string;
  /** Its heading in the overview. */
  group: (typeof groups)[number];
  summary: string;
  load(): Promise<{ define(command: Command): void }>;
}

/** The headings of the overview, in this order. */
export const groups = ['Start here:', 'Questions:', 'Work:', 'Settings:'] as const;

export const commands: CommandEntry[] = [
  {
    name: 'demo',
    group: 'Start here:',
    summary: 'see the whole thing at work on a sample project',
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'doctor',
    group: 'Start here:',
    summary: 'check this machine and say how to fix it',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'ask',
    group: 'Questions:',
    summary: 'ask a question and wait for the answer',
    load: () => import('./commands/ask.ts'),
  },
  {
    name: 'inbox',
    group: 'Questions:',
    summary: 'list what waits for you',
    load: () => import('./commands/inbox.ts'),
  },
  {
    name: 'answer',
    group: 'Questions:',
    summary: 'answer a question',
    load: () => import('./commands/answer.ts'),
  },
  {
    name: 'withdraw',
    group: 'Questions:',
    summary: 'take a question back',
    load: () => import('./commands/withdraw.ts'),
  },
  {
    name: 'serve',
    group: 'Questions:',
    summary: 'the hub: web inbox, REST and WebSocket',
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'decisions',
    group: 'Questions:',
    summary: 'what was decided so far',
    load: () => import('./commands/decisions.ts'),
  },
  {
    name: 'questions',
    group: 'Questions:',
    summary: "read open questions out of an agent's answer",
    load: () => import('./commands/questions.ts'),
  },
  {
    name: 'mcp',
    group: 'Questions:',
    summary: 'let any agent that speaks MCP ask you',
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'issues',
    group: 'Work:',
    summary: 'find what issues leave open, and what to ask',
    load: () => import('./commands/issues.ts'),
  },
  {
    name: 'plan-from-issues',
    group: 'Work:',
    summary: 'turn issues into an audited plan, asking only what matters',
    load: () => import('./commands/plan-from-issues.ts'),
  },
  {
    name: 'draft',
    group: 'Work:',
    summary: 'turn an idea into a plan of phases',
    load: () => import('./commands/draft.ts'),
  },
  {
    name: 'convert',
    group: 'Work:',
    summary: 'turn a plan that was written freely into a plan of phases',
    load: () => import('./commands/convert.ts'),
  },
  {
    name: 'plan',
    group: 'Work:',
    summary: 'make a plan, look at it, see what can be started',
    load: () => import('./commands/plan.ts'),
  },
  {
    name: 'git',
    group: 'Work:',
    summary: 'compare, merge and clean up the worktrees of a plan',
    load: () => import('./commands/git.ts'),
  },
  {
    name: 'review',
    group: 'Work:',
    summary: 'let another agent review what was made in a phase',
    load: () => import('./commands/review.ts'),
  },
  {
    name: 'gemini',
    group: 'Work:',
    summary: '"gemini review" is "review", as protocols call it',
    load: () => import('./commands/gemini.ts'),
  },
  {
    name: 'audit',
    group: 'Work:',
    summary: 'check a plan before it is run',
    load: () => import('./commands/audit.ts'),
  },
  {
    name: 'protocol',
    group: 'Work:',
    summary: 'print the steps that an agent follows',
    load: () => import('./commands/protocol.ts'),
  },
  {
    name: 'knowledge',
    group: 'Work:',
    summary: "find what the project's documents say",
    load: () => import('./commands/knowledge.ts'),
  },
  {
    name: 'run',
    group: 'Work:',
    summary: 'carry out a plan with agents, gates and merges',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'stream',
    group: 'Work:',
    summary: "read an agent's output that was recorded",
    load: () => import('./commands/stream.ts'),
  },
  {
    name: 'feedback',
    group: 'Work:',
    summary: 'turn feedback into tasks, or questions first',
    load: () => import('./commands/feedback.ts'),
  },
  {
    name: 'prd',
    group: 'Work:',
    summary: 'show or change the product requirements (PRD.md)',
    load: () => import('./commands/prd.ts'),
  },
  {
    name: 'tasks',
    group: 'Work:',
    summary: 'add, order, block and finish tasks',
    load: () => import('./commands/tasks.ts'),
  },
  {
    name: 'events',
    group: 'Work:',
    summary: "read or follow a project's history",
    load: () => import('./commands/events.ts'),
  },
  {
    name: 'config',
    group: 'Settings:',
    summary: 'show or set what applies here, and where it comes from',
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'schema',
    group: 'Settings:',
    summary: 'print the JSON Schema of a shape',
    load: () => import('./commands/schema.ts'),
  },
  {
    name: 'completion',
    group: 'Settings:',
    summary: 'set up completion for your shell',
    load: () => import('./commands/completion.ts'),
  },
];

/** What a shell calls while somebody presses Tab: no command for people, so it is in no list. */
export const completer = { name: 'complete', load: () => import('./commands/complete.ts') };
