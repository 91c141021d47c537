import { parseSync, Visitor } from 'rolldown/utils';

/**
 * A plugin for programs. rolldown begins each file with `const part = require("./part.cjs");` for everything that the
 * file might ever use. This makes `part` a function that loads it when it is used first.
 */
export function lazyRequires() {
  return { name: 'lazy-requires', renderChunk: withLazyRequires };
}

export function withLazyRequires(code) {
  const { program } = parseSync('part.cjs', code, { sourceType: 'script' });
  const required = program.body.map(asRequired).filter((found) => found !== undefined);
  const uses = usesIn(program);
  const edits = required.flatMap(({ name, id, start, end }) => {
    const { ofExports, others } = uses.get(name);
    if (others > 1) return []; // not only its declaration, so the code needs the module itself
    const declaration = `let ${name}$loaded; const ${name} = () => ${name}$loaded ??= require(${JSON.stringify(id)});`;
    return [
      { start, end, text: declaration },
      ...ofExports.map((place) => ({ ...place, text: `(${name}())` })),
    ];
  });
  return edited(code, edits);
}

function asRequired({ type, declarations, start, end }) {
  const { id, init } = (type === 'VariableDeclaration' && declarations.length === 1 && declarations[0]) || {};
  if (init?.type !== 'CallExpression' || init.callee.name !== 'require') return undefined;
  return { name: id.name, id: init.arguments[0].value, start, end };
}

/** By name: the places where an export of it is used, `name.export`, and the number of all others. */
function usesIn(program) {
  const uses = new Map();
  const objects = new Set();
  new Visitor({
    MemberExpression({ object, computed }) {
      if (!computed) objects.add(object);
    },
    Identifier(node) {
      const use = uses.get(node.name) ?? { ofExports: [], others: 0 };
      uses.set(node.name, use);
      if (objects.has(node)) use.ofExports.push({ start: node.start, end: node.end });
      else use.others++;
    },
  }).visit(program);
  return uses;
}

function edited(code, edits) {
  const inOrder = edits.toSorted((one, other) => one.start - other.start);
  const pieces = inOrder.map(
    ({ start, text }, index) => code.slice(inOrder[index - 1]?.end ?? 0, start) + text,
  );
  return pieces.join('') + code.slice(inOrder.at(-1)?.end ?? 0);
}
