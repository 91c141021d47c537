import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commit, sh, write } from './repository.ts';

/** A worktree that is being brought into some state. */
export interface Subject {
  main: string;
  path: string;
  branch: string;
  /** Different for each, so that content is found only where it belongs. */
  mark: string;
}

type Action = (subject: Subject) => void;

/** What people and agents do in a worktree, and what happens to one. Many can follow each other. */
const actions: Record<string, Action> = {
  dirty: ({ path, mark }) => write(path, { 'a.txt': `dirty ${mark}\n` }),
  staged: ({ path, mark }) => {
    write(path, { 'a.txt': `staged ${mark}\n`, [`staged ${mark}.txt`]: `new ${mark}` });
    sh(path, 'add', '-A');
  },
  'staged, then changed': ({ path, mark }) => {
    write(path, { 'b.txt': `index ${mark}` });
    sh(path, 'add', 'b.txt');
    write(path, { 'b.txt': `file ${mark}` });
  },
  'staged, then deleted': ({ path, mark }) => {
    write(path, { 'gone.txt': `only staged ${mark}` });
    sh(path, 'add', 'gone.txt');
    rmSync(join(path, 'gone.txt'));
  },
  untracked: ({ path, mark }) =>
    write(path, { [`neu ü/${mark}/x.txt`]: `u ${mark}`, '-dash': `d ${mark}`, 'line\nend': `l ${mark}` }),
  'names that are not UTF-8': ({ path, mark }) => {
    for (const byte of [0xe9, 0xea]) {
      const file = (ending: string) =>
        Buffer.concat([Buffer.from(`${path}/`), Buffer.from([byte]), Buffer.from(ending)]);
      writeFileSync(file(''), `${byte} ${mark}`);
      writeFileSync(file('.log'), `${byte} log ${mark}`);
    }
    if (mark.endsWith('1')) sh(path, 'add', '-A');
  },
  binary: ({ path, mark }) => write(path, { 'pic.bin': Buffer.from([0, 255, ...Buffer.from(mark)]) }),
  ignored: ({ path, mark }) => write(path, { 'x.log': `log ${mark}`, 'build/deep/out': `out ${mark}` }),
  'ignored beside untracked': ({ path, mark }) =>
    write(path, { 'mixed/a.txt': `mixed ${mark}`, 'mixed/b.log': `mixed log ${mark}` }),
  'ignored from now on': ({ path, mark }) =>
    write(path, { 'own/.gitignore': '*\n', 'own/secret': `secret ${mark}` }),
  'line ends': ({ path, mark }) =>
    write(path, { '.gitattributes': '*.crlf text\n', 'mixed.crlf': `one ${mark}\r\ntwo\nthree\r\n` }),
  deleted: ({ path }) => rmSync(join(path, 'a.txt'), { force: true }),
  renamed: ({ path }) => renameSync(join(path, 'a.txt'), join(path, 'renamed.txt')),
  executable: ({ path }) => chmodSync(join(path, 'a.txt'), 0o755),
  link: ({ path, mark }) => symlinkSync(`nowhere-${mark}`, join(path, 'link')),
  'a folder in the place of a file': ({ path, mark }) => {
    rmSync(join(path, 'a.txt'), { force: true });
    write(path, { 'a.txt/inside': `inside ${mark}` });
  },
  'an empty folder': ({ path }) => mkdirSync(join(path, 'empty'), { recursive: true }),
  'named, not added': ({ path, mark }) => {
    write(path, { 'intent.txt': `intent ${mark}` });
    sh(path, 'add', '-N', 'intent.txt');
  },
  'assumed unchanged': ({ path, mark }) => {
    sh(path, 'update-index', '--assume-unchanged', 'dir with space/ü.txt');
    write(path, { 'dir with space/ü.txt': `assumed ${mark}` });
  },
  'skipped by git': ({ path, mark }) => {
    sh(path, 'update-index', '--skip-worktree', 'dir with space/ü.txt');
    write(path, { 'dir with space/ü.txt': `skipped ${mark}` });
  },
  sparse: ({ path }) => void sh(path, 'sparse-checkout', 'set', '--no-cone', '/dir with space/'),
  committed: ({ path, mark }) => void commit(path, `work ${mark}`, { 'work.txt': `work ${mark}` }),
  amended: ({ path, mark }) => {
    commit(path, `first ${mark}`, { 'amended.txt': `first ${mark}` });
    write(path, { 'amended.txt': `second ${mark}` });
    sh(path, 'commit', '-q', '-a', '--amend', '-m', `second ${mark}`);
  },
  'taken back': ({ path, mark }) => {
    commit(path, `reset ${mark}`, { 'reset.txt': `reset ${mark}` });
    sh(path, 'reset', '-q', '--hard', 'HEAD~1');
  },
  stashed: ({ path, mark }) => {
    write(path, { 'a.txt': `stash ${mark}\n` });
    sh(path, 'stash', '-q');
  },
  detached: ({ path }) => void sh(path, 'switch', '-q', '--detach'),
  'on no branch': ({ path, mark, branch }) => {
    sh(path, 'switch', '-q', '--detach');
    commit(path, `nowhere ${mark}`, { 'nowhere.txt': `nowhere ${mark}` });
    sh(path, 'switch', '-q', branch);
  },
  'on another branch': ({ path, mark }) => {
    sh(path, 'switch', '-q', '-c', `other-${mark}`);
    commit(path, `other ${mark}`, { 'other.txt': `other ${mark}` });
  },
  merging: ({ path, mark }) => {
    commit(path, `mine ${mark}`, { 'conflict.txt': `mine ${mark}\n` });
    sh(path, 'merge', 'conflicting');
  },
  rebasing: ({ path, mark }) => {
    commit(path, `one ${mark}`, { 'one.txt': `one ${mark}` });
    commit(path, `two ${mark}`, { 'conflict.txt': `two ${mark}\n` });
    sh(path, 'rebase', 'conflicting');
  },
  picking: ({ path, mark }) => {
    commit(path, `mine ${mark}`, { 'conflict.txt': `picked ${mark}\n` });
    sh(path, 'cherry-pick', 'conflicting');
  },
  bisecting: ({ path, mark }) => {
    commit(path, `bad ${mark}`, { 'bad.txt': `bad ${mark}` });
    sh(path, 'bisect', 'start', 'HEAD', 'main');
  },
  locked: ({ main, path }) => void sh(main, 'worktree', 'lock', path),
  pushed: ({ path, branch }) => void sh(path, 'push', '-q', '-f', 'origin', branch),
  'deleted branch': ({ main, branch }) => void sh(main, 'update-ref', '-d', `refs/heads/${branch}`),
  'moved branch': ({ main, branch }) => void sh(main, 'update-ref', `refs/heads/${branch}`, 'main'),
  'a repository inside': ({ path, mark }) => {
    sh(path, 'init', '-q', 'inner');
    commit(join(path, 'inner'), `inner ${mark}`, { 'inner.txt': `inner ${mark}` });
  },
};

/** Applies some of them, chosen by the seed, and returns which. A refusal by git is a state as well. */
export function bringIntoState(subject: Subject, seed: number): string[] {
  const random = numbers(seed);
  const names = Object.keys(actions);
  return Array.from({ length: 1 + (random() % 5) }, () => {
    const name = names[random() % names.length] ?? '';
    return `${name}${works(() => actions[name]?.(subject)) ? '' : ' (refused)'}`;
  });
}

function works(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

/** Mulberry32: the same numbers for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
