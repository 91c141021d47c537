import type { SessionEvent } from '../../stream/events.ts';
import type { Action } from './session.ts';
import { ASK_TOOL } from './wire.ts';

/** Stops an agent that has to be able to ask, and cannot. */
export function cannotAsk(name: string, mustAsk: boolean, { tools, version }: SessionEvent): Action[] {
  if (!mustAsk || tools === undefined || tools.includes(ASK_TOOL)) return [];
  const message = `${name}${version ? ` ${version}` : ''} does not offer ${ASK_TOOL} when it is started like this, so it cannot ask anybody. It was stopped before it did anything.`;
  return [{ do: 'refuse', message }];
}
