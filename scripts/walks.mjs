// `npm run walks`: runs five journeys with the scripted agent, records every call, and brings the numbers and lists in
// docs/contributors/walks.md up to date.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, ensureInstalled, runScript } from './setup.mjs';

/** The functions that turn a row into an object. */
const rowReader =
  /^to(?:Notification|Task|TaskState|ChatMessage|Event|Decision|Run|RunState|Consultation|Worktree|Project|PhaseRecord|Approach|TrustedContent|PlanOrigin|Clone)$/;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(ROOT, 'docs', 'contributors', 'walks.md');
const MAX_LINES = 40;
const PATIENCE = 180_000;
const running = new Set();

await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const { buildTraced } = await import('./traced-build.mjs'); // needs the installed packages
  const folder = mkdtempSync(join(tmpdir(), 'fermata-walks-'));
  try {
    const { launcher, functions } = await buildTraced(join(folder, 'traced'));
    const walks = await walkAll(folder, launcher);
    const measures = walks.map((walk) => measured(walk, functions));
    writeFileSync(PAGE, measures.reduce(rewritten, readFileSync(PAGE, 'utf8')));
  } finally {
    for (const child of running) child.kill();
    await Promise.all([...running].map((child) => once(child, 'close')));
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
});

/** Follows the tutorial, in the order in which each step needs the previous one. */
async function walkAll(folder, launcher) {
  const shop = join(folder, 'shop');
  const agents = join(folder, 'agents');
  cpSync(join(ROOT, 'examples/bakery/shop'), shop, { recursive: true });
  cpSync(join(ROOT, 'examples/bakery/agents'), agents, { recursive: true });
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, FERMATA_HOME: join(folder, 'home'), FERMATA_USER: 'Ann' },
    ...{ FAKE_CLAUDE_CONFIG: agents, GIT_CONFIG_NOSYSTEM: '1' },
    ...{ GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@localhost' },
    ...{ GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@localhost' },
  };
  const git = (...args) => execFileSync('git', args, { cwd: shop, env, stdio: 'ignore' });
  const fermata = (...args) =>
    execFileSync(process.execPath, [launcher, ...args], { cwd: shop, env, stdio: 'pipe' });
  const commit = (message) => [git('add', '--all'), git('commit', '-m', message)];
  const start = (name, ...args) => traced(join(folder, `${name}.json`), { launcher, cwd: shop, env }, args);
  const openQuestion = () =>
    until(() => JSON.parse(fermata('inbox', '--json')).notifications[0], 'a question in the inbox');
  git('init');
  commit('Start');
  fermata('inbox'); // creates the ledger, which is not part of any walk

  const ask = start('ask', 'ask', 'Which database?', '--option', 'PostgreSQL', '--option', 'SQLite');
  fermata('answer', (await openQuestion()).id, 'SQLite');
  const asked = await ask.ended;

  const { questions } = JSON.parse(fermata('plan-from-issues', '--from-dir', 'issues', '--questions-only'));
  const answers = join(folder, 'answers.json');
  const firstOptions = questions.map(({ id, options }) => ({ id, answer: options[0] }));
  writeFileSync(answers, JSON.stringify({ answers: firstOptions }));
  const from = ['plan-from-issues', '--from-dir', 'issues', '--answers-file', answers];
  const planned = await start('plan', ...from, '--agent', 'scripted', '--output', 'plans/bakery').ended;
  commit('Add the plan');

  const hub = start('hub', 'serve', '--port', '0', '--json');
  const { url, token } = JSON.parse(await until(() => /^\{.*\}$/m.exec(hub.stdout())?.[0], 'the hub'));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const waiting = async () => (await (await fetch(`${url}/notifications`, { headers })).json()).data[0];
  const run = start('run', 'run', 'plans/bakery', '--agent', 'scripted', '--trust', '--no-review', '--wait');
  // Uses REST, because a command would be slower, and the walk would count whatever happens in the meantime.
  const question = await until(waiting, 'a question at the hub');
  const body = JSON.stringify({ responses: [{ questionId: question.questions[0].id, answer: '50' }] });
  const address = `${url}/projects/${question.projectId}/notifications/${question.id}`;
  const { status } = await fetch(address, { method: 'PATCH', headers, body });
  if (status !== 200) throw new Error(`The hub answered with status ${status}.`);
  const ran = await run.ended;
  hub.stop();

  return [
    { title: 'A question on the command line', recorded: asked, from: 'main' },
    {
      title: 'A question of Claude Code',
      recorded: ran,
      from: 'startRun',
      with: 'NotificationService.create',
      between: ['AgentStream.#line', 'AgentProcess.writeLine'],
    },
    {
      title: 'An answer over REST',
      recorded: await hub.ended,
      from: 'answer',
      with: 'NotificationService.resolve',
    },
    { title: 'From issues to a plan', recorded: planned, from: 'main' },
    { title: 'From a phase to its merge', recorded: ran, from: 'executePhase' },
  ];
}

function traced(file, { launcher, cwd, env }, args) {
  const child = spawn(process.execPath, [launcher, ...args], { cwd, env: { ...env, FERMATA_WALK: file } });
  running.add(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const timer = setTimeout(() => child.kill(), PATIENCE);
  const ended = new Promise((resolve, reject) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      if (code === 0 || args[0] === 'serve') resolve(JSON.parse(readFileSync(file, 'utf8')));
      else reject(new Error(`fermata ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`));
    });
  });
  ended.catch(() => undefined); // reported where it is awaited
  return { ended, stdout: () => stdout, stop: () => child.kill('SIGINT') };
}

async function until(find, what) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(200)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error(`Waited in vain for ${what}.`);
}

/** The calls of one walk, its spine and its numbers. */
function measured(walk, functions) {
  const { calls, parses } = walk.recorded;
  const nameOf = (index) => functions[calls[index][0]].name;
  const indexes = walkedBy(walk, calls, nameOf);
  const inWalk = new Set(indexes);
  const used = [...new Set(indexes.map((index) => calls[index][0]))].map((id) => functions[id]);
  const checked = parses.filter(([index]) => inWalk.has(index)).map(([, value]) => value);
  const count = (isCounted) => indexes.filter((index) => isCounted(functions[calls[index][0]])).length;
  return {
    title: walk.title,
    lines: spine(calls, indexes, functions, walk.between?.[1]),
    files: new Set(used.map(({ file }) => file)).size,
    functions: used.length,
    transactions: count(({ name }) => name === 'beginTransaction'),
    rows: count(({ file, name }) => /^src\/ledger\/(?!forms\/)/.test(file) && rowReader.test(name)),
    checks: checked.length,
    again: checked.length - new Set(checked).size,
  };
}

/**
 * All calls below the call of `from` that leads to `with`. If `between` is given, only those from the last call of its
 * first function before `with` until its second function has ended.
 */
function walkedBy({ title, from, with: reached = from, between }, calls, nameOf) {
  const find = (name, start = 0) => {
    const index = calls.findIndex((_, at) => at >= start && nameOf(at) === name);
    if (index === -1) throw new Error(`"${title}" never calls ${name}. Was it renamed?`);
    return index;
  };
  const within = (root) => {
    const found = new Set([root]);
    for (let at = root + 1; at < calls.length; at++) if (found.has(calls[at][1])) found.add(at);
    return [...found];
  };
  const target = find(reached);
  let root = target;
  while (root !== -1 && nameOf(root) !== from) root = calls[root][1];
  if (root === -1) throw new Error(`"${title}": ${from} never leads to ${reached}.`);
  if (!between) return within(root);
  const first = within(root).findLast((at) => at < target && nameOf(at) === between[0]);
  const last = within(find(between[1], target)).at(-1);
  return within(root).filter((at) => at >= first && at <= last);
}

/** The functions in the order of their first calls: `end`, and those that lead to the most others. */
function spine(calls, indexes, functions, end) {
  const first = new Map();
  for (const index of indexes) if (!first.has(calls[index][0])) first.set(calls[index][0], index);
  const shown = new Set(first.values());
  const weight = new Map([...shown].map((index) => [index, 0]));
  const callers = (index) => {
    const found = [];
    for (let at = calls[index][1]; at >= indexes[0]; at = calls[at][1]) found.push(at);
    return found;
  };
  for (const index of shown)
    for (const caller of callers(index)) if (weight.has(caller)) weight.set(caller, weight.get(caller) + 1);
  const isEnd = (index) => functions[calls[index][0]].name === end;
  const heaviest = [...shown]
    .sort((a, b) => isEnd(b) - isEnd(a) || weight.get(b) - weight.get(a))
    .slice(0, MAX_LINES);
  const kept = new Set(heaviest);
  return heaviest
    .sort((a, b) => a - b)
    .map((index) => {
      const { file, name } = functions[calls[index][0]];
      return { depth: callers(index).filter((caller) => kept.has(caller)).length, file, name };
    });
}

/** The page with new numbers and a new list for this walk. */
function rewritten(page, { title, lines, files, functions, transactions, rows, checks, again }) {
  const cells = [files, functions, transactions, rows, again > 0 ? `${checks} (${again})` : checks];
  const list = lines.map(({ depth, name, file }) => `${'  '.repeat(depth)}${name}  ${file}\n`).join('');
  const numbers = new RegExp(`^(\\| \\[${title}\\]\\(\\S+\\) \\|)(?: [^|]* \\|){5}`, 'm');
  const block = new RegExp(`(^## ${title}\n[^]*?^\`\`\`\n)[^]*?(^\`\`\`$)`, 'm');
  if (!numbers.test(page) || !block.test(page)) throw new Error(`${PAGE} has no place for "${title}".`);
  return page
    .replace(numbers, `$1 ${cells.join(' | ')} |`)
    .replace(block, (_, before, after) => before + list + after);
}
