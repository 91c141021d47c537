import type { SessionEvent } from '../stream/events.ts';
import type { Action } from './dialogue.ts';
import { ASK_TOOL } from './tools.ts';

/** Stops an agent that must be able to ask but cannot. */
export function cannotAsk(name: string, mustAsk: boolean, { tools, version }: SessionEvent): Action[] {
  if (!mustAsk || tools === undefined || tools.includes(ASK_TOOL)) return [];
  const message = `${name}${version ? ` ${version}` : ''} does not offer ${ASK_TOOL} when started this way, so it cannot ask anybody. Fermata stopped it before it did anything. Update it, or choose another agent with --agent.`;
  return [{ do: 'refuse', message }];
}
