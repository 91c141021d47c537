import { isOldGit, MIN_GIT } from '../../git/git.ts';
import { reviewers } from '../../work/review/choose-reviewer.ts';
import { type Check, error, ok, warning } from './check.ts';
import { type Found, programVersion } from './program-version.ts';

interface Program {
  name: string;
  needed: boolean;
  fix: string;
  isOld?(version: string): boolean;
}

/** The agents that Fermata can drive, with how to install each. */
const agents: Record<(typeof reviewers)[number], string> = {
  claude: 'To work with Claude Code: npm install -g @anthropic-ai/claude-code',
  codex: 'To work with Codex: npm install -g @openai/codex',
  gemini: 'To let Gemini review phases: npm install -g @google/gemini-cli',
};

const programs: Program[] = [
  {
    name: 'git',
    needed: true,
    fix: `Install git ${MIN_GIT.major}.${MIN_GIT.minor} or newer (https://git-scm.com): worktrees and merges need it.`,
    isOld: isOldGit,
  },
  {
    name: 'gh',
    needed: false,
    fix: 'GitHub issues are read over its REST API instead. For private repositories set GITHUB_TOKEN, or install "gh" (https://cli.github.com) and run: gh auth login',
  },
  ...reviewers.map((name) => ({ name, needed: false, fix: agents[name] })),
];

/** Node, git, gh and the agents, all checked at the same time. */
export async function checkPrograms(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Check[]> {
  const found = await Promise.all(
    programs.map(async (program) => judge(program, await programVersion(program.name, env, signal))),
  );
  return [ok('node', process.version), ...found];
}

function judge(program: Program, found: Found): Check {
  const problem = program.needed ? error : warning;
  switch (found.kind) {
    case 'version':
      if (program.isOld?.(found.version))
        return problem(program.name, `${found.version} is too old`, program.fix);
      return ok(program.name, `${found.version} (${found.path})`);
    case 'missing':
      return problem(program.name, 'not found on the PATH', program.fix);
    case 'silent':
      return problem(
        program.name,
        `${found.path} ${found.why}`,
        `Run "${found.path} --version" yourself, or install it again.`,
      );
    default: {
      const never: never = found;
      return never;
    }
  }
}
