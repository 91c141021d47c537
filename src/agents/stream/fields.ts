import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import type { Usage } from '../driver.ts';

export { isRecord, type JsonRecord };

const NONE: JsonRecord = {};

/** Readers for single fields: a value with an unexpected shape counts as missing. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : NONE;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function texts(value: unknown): string[] {
  return list(value).filter((entry) => typeof entry === 'string');
}

export function requestIdOf(value: unknown): string | number | undefined {
  return typeof value === 'number' ? value : text(value);
}

/** The names of the counts in an agent's usage, in the order of what they count. */
export interface UsageNames {
  input: string;
  output: string;
  cacheRead: string;
  cacheCreation: string;
}

/** Tokens under an agent's own names. If one of the figures is not a count, none of them is trusted. */
export function usageOf(value: unknown, names: UsageNames): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const inputTokens = value[names.input] ?? 0;
  const outputTokens = value[names.output] ?? 0;
  const cacheReadTokens = value[names.cacheRead] ?? 0;
  const cacheCreationTokens = value[names.cacheCreation] ?? 0;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  if (!isCount(cacheReadTokens) || !isCount(cacheCreationTokens)) return undefined;
  return { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
