import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fermata } from '../../support/fermata.ts';
import { commit, sh } from '../../work/support/repository.ts';
import { planRepository } from './support/plan-repository.ts';

const LONG = 240_000;

/** `forge PATH TEXT` stores TEXT under the id of what the file contains. */
const FORGE = `
forge() {
  ID=$(git hash-object "$1") TEXT="$2" OBJECTS="$(git rev-parse --git-path objects)" node -e '
    const fs = require("fs"), { ID, TEXT, OBJECTS } = process.env, folder = OBJECTS + "/" + ID.slice(0, 2);
    fs.mkdirSync(folder, { recursive: true });
    fs.rmSync(folder + "/" + ID.slice(2), { force: true });
    fs.writeFileSync(folder + "/" + ID.slice(2), require("zlib").deflateSync("blob " + Buffer.byteLength(TEXT) + "\\0" + TEXT));'
}
`;

const attacks = {
  'of its own file, under which a gate sees something else': [
    'tool.sh',
    'echo "echo harmless" > tool.sh; forge tool.sh "echo EVIL"',
  ],
  'of a file that it did not touch': ['old.txt', 'forge old.txt POISONED'],
};

test.each(Object.entries(attacks))(
  'BIND-19 without a sandbox, a forged object %s stops the phase before its gates, and is named (F2)',
  async (_, [file, attack]) => {
    const place = planRepository([{ id: '1', gate: `touch ../gate-ran; grep -q harmless tool.sh` }]);
    commit(place.cwd, 'old', { 'old.txt': 'old\n', 'tool.sh': 'echo harmless, once\n' });
    const before = place.git('rev-parse', 'work');
    const program = join(place.cwd, '../agent.sh');
    writeFileSync(
      program,
      `#!/bin/sh\nset -e\n${FORGE}\ncat > /dev/null\n${attack}\necho '{"status":"success"}'\n`,
      {
        mode: 0o755,
      },
    );
    const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program, '--no-review'];
    const { code, stdout, stderr } = await fermata(args, place.at);
    expect(code, stderr).toBe(1);
    expect(stdout).toMatch(new RegExp(`Tampering: .* contains object [0-9a-f]{40} \\(${file}\\)`));
    expect(stderr).not.toContain('gate command');
    expect(place.git('rev-parse', 'work')).toBe(before);
    // It stays refused, also by hand.
    const again = await fermata(['run', 'plans/shop', '--resume'], place.at);
    expect(again.code, again.stderr).not.toBe(0);
    const byHand = await fermata(['git', 'merge-worktree', '1'], place.at);
    expect(byHand.code, byHand.stderr).not.toBe(0);
    expect(place.git('rev-parse', 'work')).toBe(before);
  },
  LONG,
);

test(
  'BIND-19 a worktree made by hand with a forged object is not merged (F2)',
  async () => {
    const place = planRepository([{ id: '1', gate: 'grep -q harmless tool.sh' }]);
    const tree = join(place.cwd, '../by-hand');
    place.git('worktree', 'add', '-q', '-b', 'work--shop--implementation-1', tree);
    const own = { ...place.at, cwd: tree };
    const started = await fermata(['plan', 'start-prompt', '1', '--specialist', 'me'], own);
    expect(started.code, started.stdout).toBe(0);

    commit(tree, 'work', { 'tool.sh': 'echo harmless\n' });
    const before = place.git('rev-parse', 'work');
    writeFileSync(join(place.cwd, '../forge.sh'), `${FORGE}\nforge tool.sh "echo EVIL"\n`);
    sh(tree, '-c', `alias.x=!sh '${join(place.cwd, '../forge.sh')}'`, 'x');
    const { code, stdout } = await fermata(['git', 'merge-worktree', '1'], own);
    expect(code, stdout).toBe(1);
    expect(stdout).toMatch(/"type":"tampered","message":"Tampering: .* \(tool\.sh\)/);
    expect(place.git('rev-parse', 'work')).toBe(before);
    expect(existsSync(join(place.cwd, 'tool.sh'))).toBe(false);
  },
  LONG,
);

/** A comment in the folder, and a line of its own in what git stores. */
const HIDDEN = `mkdir -p src && printf '.git*\\n' > src/.gitignore && echo 'tool.sh working-tree-encoding=UTF-7' > src/.gitattributes
printf 'echo harmless\\n# +AAo-echo EVIL +AAo-\\n' > src/tool.sh`;

test.each([
  { whose: 'an agent', agent: HIDDEN, gate: '' },
  { whose: 'a gate command', agent: 'mkdir src && echo echo harmless > src/tool.sh', gate: HIDDEN },
])(
  'BIND-19 attributes that $whose hides from git, with which it stores other content, stop the phase',
  async ({ agent, gate }) => {
    const place = planRepository([{ id: '1', gate: 'sh gate.sh && ! sh src/tool.sh | grep EVIL' }]);
    commit(place.cwd, 'a gate', { 'gate.sh': gate });
    const before = place.git('rev-parse', 'work');
    const program = join(place.cwd, '../agent.sh');
    const script = `#!/bin/sh\nset -e\ncat > /dev/null\n${agent}\necho '{"status":"success"}'\n`;
    writeFileSync(program, script, { mode: 0o755 });
    const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program, '--no-review'];
    const { code, stdout, stderr } = await fermata(args, place.at);
    expect(code, stderr).toBe(1);
    expect(stdout).toContain('a .gitattributes that is not committed: src/.gitattributes');
    expect(stderr.includes('gate command')).toBe(gate !== '');
    expect(place.git('rev-parse', 'work')).toBe(before);
  },
  LONG,
);

test.each([
  { when: 'after the others', gates: ['grep -q harmless tool.sh', 'sh check.sh EVIL'] },
  {
    when: 'before another and back after it',
    gates: ['sh check.sh harmless', 'grep -q harmless tool.sh', 'sh check.sh EVIL'],
  },
])(
  'BIND-19 a test of the agent’s that changes a tracked file $when gets nothing merged that they did not see',
  async ({ gates }) => {
    const place = planRepository([{ id: '1' }]);
    const phase = readFileSync(join(place.cwd, 'plans/shop/phase-1.md'), 'utf8');
    const lines = gates.map((gate, at) => `- gate${at}: \`${gate}\` (AC-1)`).join('\n');
    commit(place.cwd, 'gates', { 'plans/shop/phase-1.md': phase.replace(/^- check: .*$/m, lines) });
    const before = place.git('rev-parse', 'work');
    const program = join(place.cwd, '../agent.sh');
    const first = gates.length > 2 ? 'EVIL' : 'harmless';
    const agent = `echo "echo ${first}" > tool.sh; echo 'echo "echo $1" > tool.sh' > check.sh`;
    const script = `#!/bin/sh\ncat > /dev/null\n${agent}\necho '{"status":"success"}'\n`;
    writeFileSync(program, script, { mode: 0o755 });
    const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program, '--no-review'];
    const { code, stderr } = await fermata(args, place.at);
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('gate commands changed tracked files');
    expect(place.git('rev-parse', 'work')).toBe(before);
  },
  LONG,
);
