/** Names of gates that say by themselves what is run, for plans that write only what is expected (`ruff: 0 errors`). */
const known: Record<string, string> = {
  ruff: 'uv run ruff check .',
  pyright: 'uv run pyright',
  ty: 'uv run ty check .',
  bandit: 'uv run bandit -r src/ -x ./tests',
  radon: 'uv run radon cc src/ -a -nc',
  tests: 'uv run pytest',
  pytest: 'uv run pytest',
  coverage: 'uv run pytest --cov',
  tsc: 'pnpm exec tsc --noEmit',
  eslint: 'pnpm lint',
};

export function knownGateCommand(name: string): string | null {
  return Object.hasOwn(known, name.toLowerCase()) ? (known[name.toLowerCase()] ?? null) : null;
}

const words =
  'zero no not all every each must should shall will has have is are ok okay pass passes passed passing green clean ' +
  'success successful succeeds succeeded works working none n/a tbd todo never without exits';
const wish = new RegExp(
  String.raw`^(?:[<>=≥≤~±%✓✔✅☑–—-]|\d[\d.,]*[%+]{0,2}(?:\s|$)|(?:${words.split(' ').join('|')})(?![\w./=-])|[a-z]$)`,
  'i',
);

/** Whether a text says what is expected (`0 errors`, `all pass`) and not what is run. */
export function isWish(text: string): boolean {
  return wish.test(text);
}
