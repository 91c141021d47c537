import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Forms } from './tool.ts';

/** The name under which a client returns a person's response to a form. */
export const FORM_REPLY = 'answer';

/** A person may take as long as a timer can count: 24 days. */
const MAX_MS = 2 ** 31 - 1;

const Info = z.object({ name: z.string().min(1) });
const Capabilities = z.object({ elicitation: z.record(z.string(), z.unknown()) });

/** The client's name, and how it shows forms: older clients say so once, newer ones with each request. */
export function clientOf(
  server: Server,
  { mcpReq }: ServerContext,
  otherwise: string,
): { client: string; forms?: Forms } {
  const isStateless = mcpReq.envelope !== undefined;
  const told: Record<string, unknown> = { ...mcpReq.envelope };
  const info = isStateless ? told[CLIENT_INFO_META_KEY] : server.getClientVersion();
  const capabilities = isStateless ? told[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
  const client = Info.safeParse(info).data?.name.slice(0, 100) ?? otherwise;
  if (!showsForms(Capabilities.safeParse(capabilities).data?.elicitation)) return { client };
  if (isStateless) return { client, forms: { kind: 'returned', reply: mcpReq.inputResponses?.[FORM_REPLY] } };
  const show: Extract<Forms, { kind: 'sent' }>['show'] = (form, signal) =>
    mcpReq.send({ method: 'elicitation/create', params: { ...form } }, { signal, timeout: MAX_MS });
  return { client, forms: { kind: 'sent', show } };
}

/** A client that names no kind of elicitation shows forms; the other kind is an address to open. */
function showsForms(elicitation: Record<string, unknown> | undefined): boolean {
  return elicitation !== undefined && (Object.keys(elicitation).length === 0 || 'form' in elicitation);
}
