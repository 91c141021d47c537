import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import type { PermissionAsk } from '../driver.ts';

/** Used as the tool's name if an MCP server wants a yes or no. */
export const ELICITATION = 'elicitation';

/**
 * What a person sees of an elicitation that no form can answer: one without fields, or one with an address to open. Only
 * yes or no is possible, so it is an approval. Undefined if there are fields to fill in.
 */
export function consentAsked(request: unknown): Pick<PermissionAsk, 'tool' | 'input'> | undefined {
  if (!isRecord(request)) return undefined;
  const { mode, message, url } = request;
  if (mode !== 'url' && hasFields(request)) return undefined;
  const shown = {
    message,
    ...(url === undefined ? {} : { address: url }),
    server: serverOf(request),
  };
  return {
    tool: ELICITATION,
    input: Object.fromEntries(Object.entries(shown).filter(([, value]) => value != null)),
  };
}

/** The server that asks, as named by the agent program. */
export function serverOf(request: unknown): string | undefined {
  const { mcp_server_name, serverName = mcp_server_name } = isRecord(request) ? request : {};
  return typeof serverName === 'string' ? serverName : undefined;
}

/** The result for the server. An address has no content to return. */
export function consentResult(request: unknown, allowed: boolean): object {
  if (!allowed) return { action: 'decline' };
  return isRecord(request) && request.mode === 'url'
    ? { action: 'accept' }
    : { action: 'accept', content: {} };
}

function hasFields({ requestedSchema, requested_schema }: JsonRecord): boolean {
  const schema = requestedSchema ?? requested_schema;
  if (schema === undefined || schema === null) return false;
  const properties = isRecord(schema) ? (schema.properties ?? {}) : schema;
  return !isRecord(properties) || Object.keys(properties).length > 0;
}
