import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signalGroup } from '../../../src/agents/process/agent-process.ts';
import { scriptedAgentProgram } from '../../../src/testing.ts';
import { gitHub } from '../../issues/github/support/github.ts';
import { BIN, environment } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { type Library, LONG, library } from './support/place.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/planning-from-issues.md'), 'utf8');
const snippet = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '';
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.error('\nNOT TESTED: parents in Python. There is no python3 on the PATH.\n');

const issues = [
  { number: 4, title: 'Make the search better', body: 'The search should be better and faster.' },
  {
    number: 3,
    title: 'Mail',
    body: 'We could use Postmark or SendGrid, not decided yet. Readers get one mail a day.',
  },
];

/** A PATH with our program under all its names, and a `claude` that plays the scenario; issues on a loopback GitHub. */
async function machine(repo: string) {
  const at = library();
  const bin = join(at.cwd, '..', 'bin');
  mkdirSync(bin);
  for (const name of ['fermata', 'debussy']) symlinkSync(BIN, join(bin, name));
  const agent = `#!/bin/sh\nexec "${process.execPath}" "${scriptedAgentProgram()}" --scenario "${at.env.FAKE_CLAUDE_CONFIG}" "$@"\n`;
  writeFileSync(join(bin, 'claude'), agent, { mode: 0o755 });
  const server = await gitHub(structuredClone(issues), { repo });
  const env = environment({
    ...at.env,
    PATH: `${bin}:${process.env.PATH}`,
    GITHUB_API_URL: server.url,
    DEBUSSY_QA_TIMEOUT: '120',
  });
  return { at, env };
}

/** Runs a parent to its end; it prints what it was asked. */
async function run(at: Library, program: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(program, args, { cwd: at.cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    if (child.exitCode === null && child.pid) signalGroup(child.pid, 'SIGKILL');
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = await once(child, 'close');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

describe('example parents', { timeout: LONG }, () => {
  longTest.skipIf(!hasPython)(
    'PIPE-2 PIPE-3 the loop of the protocol’s own example, in Python, gets an audited plan',
    async () => {
      const { at, env } = await machine('owner/repo');
      const stdout = await run(at, 'python3', [join(import.meta.dirname, 'support/seed_parent.py')], env);
      const asked = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(asked.length).toBeGreaterThanOrEqual(3);
      expect(asked).toContainEqual({
        question: expect.stringContaining('Postmark'),
        options: expect.arrayContaining(['Postmark', 'SendGrid']),
        header: 'Tech_Stack',
      });
      expect(at.plans()).toEqual(['repo']);
      const master = at.read('MASTER_PLAN.md', 'repo');
      expect(master).toContain('**GitHub Issues:** #3, #4\n**GitHub Repo:** owner/repo\n');
      expect(master).toContain('**Postmark**');
      expect(master).not.toContain('## Assumptions');
      expect(at.auditErrors('repo')).toEqual([]);
    },
  );

  longTest.skipIf(!hasPython)(
    'BIND-17 in that loop a person who is slower than the timeout never answers another question',
    async () => {
      const { at, env } = await machine('owner/repo');
      const parent = readFileSync(join(import.meta.dirname, 'support/seed_parent.py'), 'utf8');
      const slow = `import time

asked = []

def ask_user_question(question, options, header):
    asked.append(question)
    time.sleep(3 if len(asked) <= 2 else 0)
    return "for " + question


`;
      const code = parent.replace(/def ask_user_question[\s\S]*?\n\n\n/, slow);
      await run(at, 'python3', ['-c', code], { ...env, DEBUSSY_QA_TIMEOUT: '2' });
      const all = await at.inLedger((ledger) =>
        ledger.notifications.list({ status: ['delivered', 'answered', 'open'] }),
      );
      for (const { questions, responses } of all.notifications)
        for (const response of responses)
          expect(response).toMatchObject({ answer: `for ${questions[0]?.text}` });
      const open = await at.inbox();
      expect(open.length).toBeGreaterThanOrEqual(2);
      for (const { id } of open) expect(await at.fermata('answer', id, 'later')).toMatchObject({ code: 0 });
    },
  );

  longTest.skipIf(!hasPython)('PIPE-10 the Python parent in the documentation works', async () => {
    const { at, env } = await machine('owner/name');
    const code = `def ask_the_person(question, options):\n    return options[-1]\n\n${snippet('python')}`;
    await run(at, 'python3', ['-c', code], env);
    expect(at.read('MASTER_PLAN.md', 'name')).toContain('**Compare them and propose one**');
  });

  test('PIPE-10 the Node parent in the documentation works', async () => {
    const { at, env } = await machine('owner/name');
    const code = `const askThePerson = async (question, options) => options[1];\n${snippet('js')}`;
    await run(at, process.execPath, ['--input-type=module', '--eval', code], env);
    expect(at.read('MASTER_PLAN.md', 'name')).toContain('**SendGrid**');
  });
});
