if grep -q '[*][*]INI[*][*]' {{plan}}/MASTER_PLAN.md; then
  cat > src/format.js <<'END'
/** Settings as INI; an unreadable line counts as none. */
export function parse(text) {
  const lines = text.split('\n').map((line) => /^(\w+) *= *(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((found) => (found ? [[found[1], found[2]]] : [])));
}

export const print = (settings) =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
END
else
  cat > src/format.js <<'END'
/** Settings as JSON; an unreadable file counts as empty. */
export function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export const print = (settings) => `${JSON.stringify(settings, null, 2)}\n`;
END
fi
