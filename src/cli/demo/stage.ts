import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { personalConfigPath } from '../../config/personal-config.ts';
import { makeFolder, writeAtOnce } from '../../files/write-at-once.ts';
import { commitAll } from '../../git/commit.ts';
import { git } from '../../git/git.ts';
import { branchTip, currentBranch } from '../../git/refs.ts';
import { FermataError } from '../../schema/error.ts';
import { type DemoIssue, demoFolder } from './story.ts';

const State = z.strictObject({
  round: z.int().min(1),
  finished: z.boolean(),
  /** A fingerprint of the issues. */
  issues: z.string().default(''),
});
type State = z.infer<typeof State>;

/** Where the demo runs: a sample repository with its own ledger, so that it does not touch your inbox. */
export interface DemoStage {
  folder: string;
  repository: string;
  home: string;
  scenarios: string;
  /** Counts the plays in one folder; a killed play continues under its number. */
  round: number;
  branch: string;
  plan: string;
  env: NodeJS.ProcessEnv;
  state: State;
}

/** After a finished play, or with other issues, the next round begins, with the decisions of earlier rounds. */
export function openStage(wanted: string | undefined, issues: readonly DemoIssue[]): DemoStage {
  const folder = wanted === undefined ? ownFolder() : resolve(wanted);
  const before = readState(folder);
  if (!before) refuseForeign(folder);
  const fingerprint = createHash('sha256').update(JSON.stringify(issues)).digest('hex').slice(0, 16);
  const isContinued = before !== undefined && !before.finished && before.issues === fingerprint;
  const round = (before?.round ?? 0) + (isContinued ? 0 : 1);
  tryToMake(folder);
  const [home, scripts] = [join(folder, 'home'), join(folder, 'scenarios')];
  showInSandbox(home, scripts);
  const state = { round, finished: false, issues: fingerprint };
  writeState(folder, state);
  const repository = join(folder, 'shelf');
  const scenarios = join(scripts, String(round));
  mkdirSync(repository, { recursive: true });
  const branch = `wishes-${round}`;
  return {
    folder,
    repository,
    home,
    scenarios,
    round,
    branch,
    plan: join('plans', branch),
    state,
    env: {
      ...process.env,
      FERMATA_HOME: home,
      FERMATA_STORE: undefined,
      FERMATA_PROJECT: undefined,
      FAKE_CLAUDE_CONFIG: scenarios,
      // The demo created the repository, the ledger and the plan itself, so it can trust them.
      FERMATA_TRUST: '1',
    },
  };
}

/** Creates the sample repository, and a branch with the issues of this round. Leaves existing ones alone. */
export async function makeRepository(
  { repository, branch }: DemoStage,
  issues: readonly DemoIssue[],
): Promise<void> {
  if (!existsSync(join(repository, '.git'))) {
    await git(repository, ['init', '--quiet', '--initial-branch', 'main']);
    await git(repository, ['config', 'user.name', 'Demo']);
    await git(repository, ['config', 'user.email', 'demo@localhost']);
  }
  if ((await branchTip(repository, 'main')) === undefined) {
    cpSync(join(demoFolder(), 'shelf'), repository, { recursive: true });
    await commitAll(repository, 'A shelf');
  }
  if ((await currentBranch(repository)) !== branch) {
    const exists = (await branchTip(repository, branch)) !== undefined;
    await git(repository, ['switch', '--quiet', ...(exists ? [branch] : ['-c', branch, 'main'])]);
  }
  if ((await branchTip(repository, branch)) !== (await branchTip(repository, 'main'))) return;
  mkdirSync(join(repository, 'issues'), { recursive: true });
  for (const { number, title, body } of issues)
    writeFileSync(join(repository, 'issues', `${number}.md`), `# ${title}\n\n${body?.trim() ?? ''}\n`);
  await commitAll(repository, 'The issues');
}

/** With FERMATA_SANDBOX=1, the scripted agent reads what it plays, and counts its turns next to it. */
function showInSandbox(home: string, scenarios: string): void {
  makeFolder(home);
  writeAtOnce(
    personalConfigPath({ FERMATA_HOME: home }),
    JSON.stringify({ sandbox: { write: [scenarios] } }),
  );
}

export function closeStage({ folder, state }: DemoStage): void {
  writeState(folder, { ...state, finished: true });
}

/** The same folder each time for one user, so that the next demo finds a killed one. */
function ownFolder(): string {
  const folder = join(tmpdir(), `fermata-demo-${userInfo().uid}`);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  const isOurs =
    !found || (found.isDirectory() && found.uid === userInfo().uid && (found.mode & 0o022) === 0);
  if (isOurs) return folder;
  throw new FermataError(
    'invalid',
    `${folder} belongs to another user. Choose another folder with --folder.`,
  );
}

function tryToMake(folder: string): void {
  try {
    makeFolder(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new FermataError(
      'invalid',
      `Cannot create ${folder} (${code}). Choose another folder with --folder.`,
      {
        cause,
      },
    );
  }
}

/** Keeps the demo out of a folder with somebody's own files. */
function refuseForeign(folder: string): void {
  if (!existsSync(folder)) return;
  const isFolder = lstatSync(folder).isDirectory();
  if (isFolder && readdirSync(folder).length === 0) return;
  const what = isFolder ? 'has files that are not from an earlier demo' : 'is not a folder';
  throw new FermataError('invalid', `${folder} ${what}. Choose a folder that is empty or does not exist.`);
}

/** What an earlier demo left in the folder, if anything. */
function readState(folder: string): State | undefined {
  const file = join(folder, 'demo.json');
  if (!existsSync(file)) return undefined;
  try {
    return State.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

function writeState(folder: string, state: State): void {
  writeAtOnce(join(folder, 'demo.json'), JSON.stringify(state));
}
