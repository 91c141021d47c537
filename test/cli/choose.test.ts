import { expect, test } from 'vitest';
import { continuingAgent } from '../../src/work/agent/choose-agent.ts';

const begun = { agent: 'codex', agentCommand: '/opt/codex', model: 'o3' };
const usual = { agent: 'claude', agentGiven: false };

test.each([
  ['nothing is said: all as it was begun', usual, begun, begun],
  ['another model', { ...usual, model: 'o4' }, begun, { ...begun, model: 'o4' }],
  ['another program', { ...usual, agentCommand: 'codex' }, begun, { ...begun, agentCommand: 'codex' }],
  ['an agent is named: nothing from before', { agent: 'codex', agentGiven: true }, begun, { agent: 'codex' }],
  ['nothing was begun', { ...usual, model: 'opus' }, undefined, { agent: 'claude', model: 'opus' }],
])('CLI-agent which agent continues: %s', (_, said, before, expected) => {
  expect(continuingAgent(said, before)).toEqual(expected);
});
