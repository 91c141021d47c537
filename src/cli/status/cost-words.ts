import type { Spent } from '../../schema/run-usage.ts';

/** `28k tokens, $0.31`; empty if nothing was used. */
export function spentWords({ inputTokens, outputTokens, costUsd }: Spent): string {
  const tokens = inputTokens + outputTokens;
  if (tokens === 0 && costUsd === undefined) return '';
  return [`${thousands(tokens)} tokens`, ...(costUsd === undefined ? [] : [dollars(costUsd)])].join(', ');
}

export const thousands = (tokens: number): string =>
  tokens < 10_000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;

/** Small amounts get enough digits to be visible. */
export const dollars = (value: number): string => `$${value.toFixed(value !== 0 && value < 0.1 ? 4 : 2)}`;
