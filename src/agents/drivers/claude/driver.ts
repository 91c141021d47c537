import { statSync } from 'node:fs';
import type { Notification, ResumeRecipe } from '../../../schema/notification.ts';
import type { AgentDriver, AgentRun, AgentSetup } from '../../driver.ts';
import { restated } from '../../form.ts';
import { failedRun } from '../failed-run.ts';
import { probeVersion } from '../probe-version.ts';
import { argv } from './argv.ts';
import { ControlSession } from './control-session.ts';
import { type ClaudeOptions, claudeDefaults } from './options.ts';
import { PlainSession } from './plain-session.ts';
import { programOf } from './program.ts';
import { ClaudeRun } from './run.ts';
import type { Session } from './session.ts';

/**
 * The driver of Claude Code, or of another program that speaks as it does.
 *
 * @example claudeDriver({ name: 'scripted', program: process.execPath, args: ['scripted-agent.js'] })
 */
export function claudeDriver(given: Partial<ClaudeOptions> = {}): AgentDriver {
  const options: ClaudeOptions = { ...claudeDefaults, ...given };
  return {
    name: options.name,
    async probe(setup) {
      const program = programOf(options, setup);
      if (typeof program === 'string') return { found: false, message: program };
      return probeVersion(options.name, program.path, program.env, setup.cwd, program.args);
    },
    start: (setup, prompt) => launch(options, setup, { session: newSession(options, setup, prompt) }),
    resume(setup, recipe, settled) {
      const { sessionId } = recipe;
      const there = { ...setup, cwd: recipe.cwd ?? setup.cwd };
      if (sessionId === undefined) {
        return failedRun('failed', `${options.name}: there is no session to resume.`);
      }
      return launch(options, there, { session: resumedSession(options, there, recipe, settled), sessionId });
    },
  };
}

function newSession(options: ClaudeOptions, setup: AgentSetup, prompt: string): Session {
  const { name, mode } = options;
  if (mode === 'control') return new ControlSession({ name, setup, prompt, settled: new Map() });
  return new PlainSession({ name, setup, text: prompt, asksElsewhere: mode === 'mcp' });
}

function resumedSession(
  options: ClaudeOptions,
  setup: AgentSetup,
  recipe: ResumeRecipe,
  settled: readonly Notification[],
): Session {
  const { name, mode } = options;
  if (mode === 'control') return new ControlSession({ name, setup, settled: byCall(recipe, settled) });
  return new PlainSession({ name, setup, text: restated(settled), asksElsewhere: mode === 'mcp' });
}

/** What was settled, by the call that asked it. */
function byCall(recipe: ResumeRecipe, settled: readonly Notification[]): Map<string, Notification> {
  const only = settled.length === 1 ? recipe.toolCallId : undefined;
  return new Map(settled.map((each) => [each.resume?.toolCallId ?? only ?? each.id, each]));
}

function launch(
  options: ClaudeOptions,
  setup: AgentSetup,
  { session, sessionId }: { session: Session; sessionId?: string },
): AgentRun {
  const { name, mode, mcp } = options;
  if (!isFolder(setup.cwd)) return failedRun('failed', `${name}: there is no folder ${setup.cwd}.`);
  const program = programOf(options, setup);
  if (typeof program === 'string') return failedRun('missing', program);
  const args = [...program.args, ...argv({ mode, setup, mcp, sessionId })];
  return new ClaudeRun({ name, setup, program: { ...program, args }, session, sessionId });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
