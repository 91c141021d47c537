/** The agents that Fermata has a driver for. */
export const agentNames = ['claude', 'claude-mcp', 'claude-text', 'codex', 'command', 'scripted'] as const;
export type AgentName = (typeof agentNames)[number];

/** A request or a repository's file may choose only these, because `command` would let it name a program. */
export const fixedAgentNames = agentNames.filter((name) => name !== 'command');
