// `npm run mutate`: changes src/ledger in one place at a time and sees whether a test notices.
//   --list            only show the mutants
//   --only PATTERN    those whose "file:line kind what" matches; several may be given
//   --kind KIND       transaction, compare-and-set, unblock, guard, condition, where, statement, status; or strict
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeWorkplace, TIMEOUT } from './mutate/workplace.mjs';
import { ensureBuilt, ensureInstalled, runScript } from './setup.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TESTS = ['test/ledger', 'test/fuzz'];
const SPEC_ID = /\b[A-Z]{2,5}-\d+\b/;

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      list: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      kind: { type: 'string', multiple: true, default: [] },
      jobs: { type: 'string', default: '2' },
    },
  });
  await ensureInstalled();
  await ensureBuilt();
  // These need the installed packages.
  const { findMutants, STRICT } = await import('./mutate/find-mutants.mjs');
  const { outdated, whyEquivalent } = await import('./mutate/equivalent.mjs');
  const sources = filesIn('src/ledger', '.ts');
  const kinds = values.kind.flatMap((kind) => (kind === 'strict' ? STRICT : [kind]));
  const patterns = values.only.map((pattern) => new RegExp(pattern, 'i'));
  const all = sources.flatMap((file) => findMutants(file, ROOT));
  for (const name of outdated(all))
    console.error(`No longer there, see scripts/mutate/equivalent.mjs: ${name}`);
  const mutants = all
    .filter((mutant) => whyEquivalent(mutant) === undefined)
    .filter((mutant) => kinds.length === 0 || kinds.includes(mutant.kind))
    .filter((mutant) => patterns.length === 0 || patterns.some((pattern) => pattern.test(title(mutant))));
  if (values.list) {
    for (const mutant of mutants) console.log(title(mutant));
    console.log(`${mutants.length} mutants`);
    return 0;
  }
  return run(mutants, sources, Number(values.jobs), STRICT);
});

async function run(mutants, sources, jobs, strict) {
  const { coverage } = await import('./mutate/coverage.mjs');
  const { loadSource } = await import('./load-source.mjs');
  const { newDatabase } = await loadSource({ newDatabase: 'bench/support/both-stores.ts' });
  const start = Date.now();
  const tests = TESTS.flatMap((dir) => filesIn(dir, '.test.ts'));
  const servers = await Promise.all(Array.from({ length: jobs }, newDatabase));
  const workplaces = servers.map(({ place }) => makeWorkplace(ROOT, place));
  try {
    process.stderr.write('Finding out which tests run what …\n');
    const testsOf = await coverage(workplaces[0], sources, tests);
    const left = [...mutants];
    const verdicts = [];
    const worker = async (workplace) => {
      for (let mutant = left.shift(); mutant; mutant = left.shift()) {
        const verdict = await attack(workplace, mutant, testsOf(mutant), strict.includes(mutant.kind));
        verdicts.push(verdict);
        console.log(`${String(verdicts.length).padStart(4)}/${mutants.length} ${told(verdict)}`);
      }
    };
    await Promise.all(workplaces.map(worker));
    return report(verdicts, strict, (Date.now() - start) / 1000);
  } finally {
    for (const workplace of workplaces) workplace.remove();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** If no killer of a strict mutant names a requirement, runs all its tests, because one of them must. */
async function attack(workplace, mutant, tests, isStrict) {
  if (tests.length === 0) return { mutant, killers: [], note: 'no test runs this' };
  const original = workplace.read(mutant.file);
  workplace.write(mutant.file, mutated(original, mutant));
  try {
    const { failed } = await workplace.test(tests);
    if (failed.length === 0 || !isStrict || proof(failed)) return { mutant, killers: failed };
    const all = await workplace.test(tests, { bail: 0, seconds: 240 });
    return { mutant, killers: all.failed.length > 0 ? all.failed : failed };
  } finally {
    workplace.write(mutant.file, original);
  }
}

function mutated(source, { edits }) {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), source);
}

function report(verdicts, strict, seconds) {
  const survivors = verdicts.filter(({ killers }) => killers.length === 0);
  const unproven = verdicts.filter(
    ({ mutant, killers }) => strict.includes(mutant.kind) && killers.length > 0 && !proof(killers),
  );
  for (const [heading, list] of [
    ['Survived:', survivors],
    ['Killed, but by no test that names an id of the spec:', unproven],
  ]) {
    if (list.length > 0) console.log(`\n${heading}`);
    for (const verdict of list)
      console.log(`  ${title(verdict.mutant)}${verdict.note ? ` (${verdict.note})` : ''}`);
  }
  const serious = survivors.filter(({ mutant }) => strict.includes(mutant.kind)).length + unproven.length;
  const killed = verdicts.length - survivors.length;
  console.log(
    `\n${verdicts.length} mutants: ${killed} killed, ${survivors.length} survived, in ${seconds.toFixed(0)} s.`,
  );
  console.log(
    `Of those that drop a transaction, a compare-and-set or an unblock condition, ${serious} are not proven dead.`,
  );
  return serious > 0 ? 1 : 0;
}

function told({ mutant, killers, note }) {
  if (killers.length === 0) return `SURVIVED ${title(mutant)}${note ? ` (${note})` : ''}`;
  return `killed   ${title(mutant)}\n              by ${proof(killers) ?? killers[0]}`;
}

/** A killer that names the requirement it proves; a timeout needs no name. */
function proof(killers) {
  return killers.find((name) => SPEC_ID.test(name) || name === TIMEOUT);
}

function title({ file, line, kind, what }) {
  return `${file}:${line} ${kind}: ${what}`;
}

function filesIn(dir, suffix) {
  return readdirSync(join(ROOT, dir), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(suffix))
    .map((name) => `${dir}/${name}`)
    .sort();
}
