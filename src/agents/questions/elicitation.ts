import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import type { PermissionAsk } from '../driver.ts';

/** Stands for the tool where an MCP server wants a yes or no. */
export const ELICITATION = 'elicitation';

/**
 * What a person is shown of an elicitation that no form can answer: one without fields, or one that has an address to open.
 * Only a yes or no is possible, so it is an approval. Undefined if there are fields to fill in.
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

/** Which server asks, as the agent program says it. */
export function serverOf(request: unknown): string | undefined {
  const { mcp_server_name, serverName = mcp_server_name } = isRecord(request) ? request : {};
  return typeof serverName === 'string' ? serverName : undefined;
}

/** What the server gets. An address has no content to give back. */
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
