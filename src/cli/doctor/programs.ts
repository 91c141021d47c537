import { type Check, error, ok, warning } from './check.ts';
import { type Found, programVersion } from './program-version.ts';

interface Program {
  name: string;
  needed: boolean;
  fix: string;
  /** The oldest version that will do. */
  least?: [major: number, minor: number];
}

const programs: Program[] = [
  {
    name: 'git',
    needed: true,
    fix: 'Install git 2.38 or newer (https://git-scm.com): worktrees and merges need it.',
    least: [2, 38],
  },
  {
    name: 'gh',
    needed: false,
    fix: 'GitHub issues are read over its REST API instead. For private repositories set GITHUB_TOKEN, or install "gh" (https://cli.github.com) and run: gh auth login',
  },
  {
    name: 'claude',
    needed: false,
    fix: 'To work with Claude Code: npm install -g @anthropic-ai/claude-code',
  },
  { name: 'codex', needed: false, fix: 'To work with Codex: npm install -g @openai/codex' },
  { name: 'gemini', needed: false, fix: 'To work with Gemini: npm install -g @google/gemini-cli' },
  { name: 'opencode', needed: false, fix: 'To work with opencode: npm install -g opencode-ai' },
];

/** Node, git, gh and the agents, all asked at the same time. */
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
      if (isOlder(found.version, program.least))
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

function isOlder(version: string, [major, minor]: [number, number] = [0, 0]): boolean {
  const [, is = 0, and = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return is < major || (is === major && and < minor);
}
