/** Mutants in SQL texts: a condition that always holds, a lock that is not taken. */
export function inSql({ source, node }) {
  if (!isText(node)) return [];
  const sql = source.slice(node.start, node.end);
  const statement = /^['"`]\s*(select|update|insert|delete)\b/i.exec(sql)?.[1]?.toLowerCase();
  if (!statement) return [];
  return [...conditions(sql, node.start, statement), ...locks(sql, node.start)];
}

const isText = (node) =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');

const CONDITION =
  /\b(?:where|and)\s+((?:\w+\.)?"?\w+"?\s*(?:=|<=|>=|<|>|<>)\s*(?:\?|'[^']*'|\d+)|\w+ is (?:not )?null|\w+ in \([^()]*\))/gi;

/** `x = ?` becomes `(x = ? or 1 = 1)`, so that the parameters keep their positions. */
function conditions(sql, offset, statement) {
  return [...sql.matchAll(CONDITION)].map((match) => {
    const [whole, condition] = match;
    const start = offset + match.index + whole.length - condition.length;
    const kind =
      statement === 'update' && /^(version|fence|status|session_id|standing)\b/.test(condition)
        ? 'compare-and-set'
        : 'where';
    const edits = [{ start, end: start + condition.length, text: `(${condition} or 1 = 1)` }];
    return { kind, what: `always true: ${condition} (${statement})`, edits };
  });
}

function locks(sql, offset) {
  return [...sql.matchAll(/ for update(?: skip locked)?/gi)].map((match) => {
    const start = offset + match.index;
    return {
      kind: 'transaction',
      what: 'left out: for update',
      edits: [{ start, end: start + match[0].length, text: '' }],
    };
  });
}
