// Builds the command line so that it records every call of a named function of src/ and every value that zod checks.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { dataFiles } from './data-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Makes an installation in `folder`; returns its launcher and the functions by number: `{ file, name }`. */
export async function buildTraced(folder) {
  const functions = [];
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  for (const name of ['package.json', 'dist/web', 'dist/scripted-agent.cjs'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  writeFileSync(join(folder, 'bin', 'launch.cjs'), LAUNCHER);
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const build = await rolldown({
    input: join(ROOT, 'src/cli/main.ts'),
    cwd: ROOT,
    platform: 'node',
    external: ['@photostructure/sqlite', 'pg-native'],
    plugins: [dataFiles(), tracing(functions)],
    transform: { target: 'node20.19' },
    logLevel: 'warn',
  });
  try {
    await build.write({ file: join(folder, 'dist/cli.cjs'), format: 'cjs', codeSplitting: false });
  } finally {
    await build.close();
  }
  return { launcher: join(folder, 'bin', 'fermata.cjs'), functions };
}

/** Replaces bin/launch.cjs. A call is `[function, index of its caller]`. */
const LAUNCHER = `
const { AsyncLocalStorage } = require('node:async_hooks');
const file = process.env.FERMATA_WALK;
delete process.env.FERMATA_WALK; // not for child processes
const within = new AsyncLocalStorage();
const calls = [];
const parses = [];
globalThis.__walk = (id, body) => {
  if (!file) return body();
  return within.run(calls.push([id, within.getStore() ?? -1]) - 1, body);
};
globalThis.__parse = (value) => {
  if (file && typeof value === 'object' && value !== null) parses.push([within.getStore() ?? -1, JSON.stringify(value)]);
  return value;
};
process.on('exit', () => file && require('node:fs').writeFileSync(file, JSON.stringify({ calls, parses })));
require('../dist/cli.cjs').main(process.argv.slice(2), { name: 'fermata' }).then((code) => {
  process.exitCode = code;
});
`;

function tracing(functions) {
  return {
    name: 'tracing',
    transform(code, id) {
      if (id.endsWith('/zod/v4/core/parse.js')) return recordingValues(code);
      const file = relative(ROOT, id);
      return file.startsWith('src/') && file.endsWith('.ts') ? traced(code, file, functions) : undefined;
    },
  };
}

function recordingValues(code) {
  const start = 'schema._zod.run({ value';
  if (!code.includes(`${start},`)) throw new Error('zod has changed: find where its parse functions begin.');
  return code.replaceAll(`${start},`, `${start}: globalThis.__parse(value),`);
}

/** Moves the body of each named function into a call of `__walk`, which keeps `this`, `await` and `return` intact. */
function traced(code, file, functions) {
  const inserts = [];
  const visit = (node, name, owner) => {
    const number = isTraced(node, name) ? functions.push({ file, name: owner + name }) - 1 : undefined;
    if (number !== undefined) inserts.push(opening(node, number));
    for (const [key, value] of Object.entries(node)) {
      const isClass = node.type === 'ClassDeclaration' && key === 'body';
      for (const child of [value].flat())
        if (typeof child?.type === 'string')
          visit(child, nameFor(node, child), isClass ? `${node.id.name}.` : isOwned(node) ? owner : '');
    }
    if (number !== undefined) inserts.push(closing(node));
  };
  visit(parseAst(code, { lang: 'ts' }), undefined, '');
  let done = 0;
  const parts = inserts
    .sort((a, b) => a.at - b.at) // stable: of two at one position, the outer one opens first and closes last
    .map(({ at, text }) => {
      const part = code.slice(done, at) + text;
      done = at;
      return part;
    });
  return parts.join('') + code.slice(done);
}

const isOwned = ({ type }) => ['ClassBody', 'MethodDefinition'].includes(type);

const isTraced = ({ type, body, generator, kind }, name) =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type) &&
  name !== undefined &&
  body !== null &&
  !generator &&
  kind !== 'constructor';

/** The name that the surrounding node gives `child`, if it is a function. */
function nameFor(node, child) {
  if (child.type === 'FunctionDeclaration') return child.id?.name ?? 'default';
  if (node.type === 'VariableDeclarator' && child === node.init) return node.id.name;
  const isMember = ['MethodDefinition', 'PropertyDefinition', 'Property'].includes(node.type);
  if (!isMember || child !== node.value || node.kind === 'constructor') return undefined;
  return node.key.type === 'PrivateIdentifier' ? `#${node.key.name}` : node.key.name;
}

function opening({ body, async }, number) {
  const start = `globalThis.__walk(${number}, ${async ? 'async ' : ''}() => `;
  return body.type === 'BlockStatement'
    ? { at: body.start + 1, text: `return ${start}{` }
    : { at: body.start, text: `${start}(` };
}

function closing({ body }) {
  return body.type === 'BlockStatement' ? { at: body.end - 1, text: '});' } : { at: body.end, text: '))' };
}
