import type { CommandEntry } from './command-entry.ts';

export const commands: CommandEntry[] = [
  {
    name: 'connect',
    group: 'Start here:',
    summary: 'bring the questions of your own sessions to your inbox',
    load: () => import('./commands/connect.ts'),
  },
  {
    name: 'demo',
    group: 'Start here:',
    summary: 'run the whole workflow on a sample project',
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'doctor',
    group: 'Start here:',
    summary: 'check this machine, and say how to fix what is wrong',
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
    summary: 'list what is waiting for you',
    load: () => import('./commands/inbox.ts'),
  },
  {
    name: 'answer',
    group: 'Questions:',
    summary: 'answer a question',
    load: () => import('./commands/answer.ts'),
  },
  {
    name: 'amend',
    group: 'Questions:',
    summary: 'replace an earlier answer',
    load: () => import('./commands/amend.ts'),
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
    summary: 'start the hub: web inbox, REST and WebSocket',
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'decisions',
    group: 'Questions:',
    summary: 'list what was decided',
    load: () => import('./commands/decisions.ts'),
  },
  {
    name: 'questions',
    group: 'Questions:',
    summary: "find the open questions in an agent's answer",
    load: () => import('./commands/questions.ts'),
  },
  {
    name: 'mcp',
    group: 'Questions:',
    summary: 'let any MCP agent ask you questions',
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
    summary: 'turn issues into an audited plan, and ask only what matters',
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
    summary: 'turn a free-form plan into a plan of phases',
    load: () => import('./commands/convert.ts'),
  },
  {
    name: 'plan',
    group: 'Work:',
    summary: 'create a plan, show it, see what can start',
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
    summary: 'have another agent review the work of a phase',
    load: () => import('./commands/review.ts'),
  },
  {
    name: 'gemini',
    group: 'Work:',
    summary: 'run "review" under the name that older protocols use',
    load: () => import('./commands/gemini.ts'),
  },
  {
    name: 'hooks',
    group: 'Work:',
    summary: 'connect git and Claude Code to a plan',
    load: () => import('./commands/hooks.ts'),
  },
  {
    name: 'audit',
    group: 'Work:',
    summary: 'check a plan before you run it',
    load: () => import('./commands/audit.ts'),
  },
  {
    name: 'protocol',
    group: 'Work:',
    summary: 'print the steps an agent follows',
    load: () => import('./commands/protocol.ts'),
  },
  {
    name: 'knowledge',
    group: 'Work:',
    summary: "search the project's documents",
    load: () => import('./commands/knowledge.ts'),
  },
  {
    name: 'run',
    group: 'Work:',
    summary: 'run a plan with agents, gates and merges',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'status',
    group: 'Work:',
    summary: 'show what runs and what waits, everywhere',
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'logs',
    group: 'Work:',
    summary: 'print or follow what the agents of a task do',
    load: () => import('./commands/logs.ts'),
  },
  {
    name: 'stop',
    group: 'Work:',
    summary: 'stop the work on a task or a plan',
    load: async () => ({ define: (await import('./tasks/work-verbs.ts')).defineStop }),
  },
  {
    name: 'pause',
    group: 'Work:',
    summary: 'keep everybody from a task or a plan for now',
    load: async () => ({ define: (await import('./tasks/work-verbs.ts')).definePause }),
  },
  {
    name: 'resume',
    group: 'Work:',
    summary: 'end a pause',
    load: async () => ({ define: (await import('./tasks/work-verbs.ts')).defineResume }),
  },
  {
    name: 'cost',
    group: 'Work:',
    summary: 'sum up the tokens and cost of agents',
    load: () => import('./commands/cost.ts'),
  },
  {
    name: 'worker',
    group: 'Work:',
    summary: 'run queued work, on any machine',
    load: () => import('./commands/worker.ts'),
  },
  {
    name: 'stream',
    group: 'Work:',
    summary: "read an agent's recorded output",
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
    name: 'trust',
    group: 'Settings:',
    summary: "review and trust a repository's files that agents follow",
    load: () => import('./commands/trust.ts'),
  },
  {
    name: 'project',
    group: 'Settings:',
    summary: 'say which repositories belong to a project, on PostgreSQL',
    load: () => import('./commands/project.ts'),
  },
  {
    name: 'ledger',
    group: 'Settings:',
    summary: 'back up, restore, check and move the ledger',
    load: () => import('./commands/ledger.ts'),
  },
  {
    name: 'config',
    group: 'Settings:',
    summary: 'show the settings in effect and their origin, or change them',
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'schema',
    group: 'Settings:',
    summary: 'print the JSON Schema of a format',
    load: () => import('./commands/schema.ts'),
  },
  {
    name: 'completion',
    group: 'Settings:',
    summary: 'print completion for your shell',
    load: () => import('./commands/completion.ts'),
  },
];

/** Called by a shell when somebody presses Tab. Not for people, so no list shows it. */
export const completer = { name: 'complete', load: () => import('./commands/complete.ts') };

/** Called by agent programs, likewise. */
export const hook = { name: 'hook', load: () => import('./commands/hook.ts') };
