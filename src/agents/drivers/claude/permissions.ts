import type { PermissionEvent } from '../../stream/events.ts';
import { type Action, emit, send } from './session.ts';
import * as wire from './wire.ts';

const REFUSED = 'The person refused it.';

/** The tools that the agent waits to be allowed. */
export class Permissions {
  readonly #open = new Map<string, { requestId: string; input: unknown }>();

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  asked({ requestId, toolUseId, tool, input }: PermissionEvent): Action[] {
    const id = toolUseId ?? String(requestId);
    this.#open.set(id, { requestId: String(requestId), input });
    return [emit({ kind: 'permission', id, tool, input })];
  }

  permit(id: string, allowed: boolean, message: string | undefined): Action[] {
    const open = this.#open.get(id);
    if (!open) return [];
    this.#open.delete(id);
    const { requestId, input } = open;
    return [send(allowed ? wire.allow(requestId, input) : wire.deny(requestId, message ?? REFUSED))];
  }

  cancelled(requestId: string): Action[] {
    for (const [id, open] of this.#open) {
      if (open.requestId !== requestId) continue;
      this.#open.delete(id);
      return [emit({ kind: 'cancelled', askId: id })];
    }
    return [];
  }
}
