import type { Spent } from '../../../src/schema/run-usage.ts';

const TITLES = {
  inputTokens: 'Input tokens',
  outputTokens: 'Output tokens',
  cacheReadTokens: 'From cache',
  cacheCreationTokens: 'To cache',
  costUsd: 'Cost',
} as const;

/** Tokens and cost, as reported by the agent. */
export function Usage({ usage }: { usage: Spent }) {
  const names = Object.keys(TITLES) as (keyof Spent)[];
  const shown = names.flatMap((name) => {
    const [title, value] = [TITLES[name], usage[name]];
    return value === undefined
      ? []
      : [{ title, text: name === 'costUsd' ? dollars(value) : value.toLocaleString('en') }];
  });
  return (
    <dl class="usage" aria-label="Tokens and cost">
      {shown.map(({ title, text }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Small amounts get enough digits to be visible. */
const dollars = (value: number): string => `$${value.toFixed(value !== 0 && value < 0.1 ? 4 : 2)}`;
