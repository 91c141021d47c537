const TITLES: Record<string, string> = {
  inputTokens: 'Input tokens',
  outputTokens: 'Output tokens',
  cacheReadTokens: 'From cache',
  cacheCreationTokens: 'To cache',
  costUsd: 'Cost',
};

/** Tokens and cost, as reported by the agent. */
export function Usage({ usage }: { usage: Record<string, number> }) {
  const shown = Object.entries(TITLES).flatMap(([name, title]) => {
    const value = usage[name];
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
