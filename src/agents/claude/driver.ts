import { statSync } from 'node:fs';
import type { Notification, ResumeRecipe } from '../../schema/notification.ts';
import type { AgentDriver, AgentRun, AgentSetup } from '../driver.ts';
import { probeVersion } from '../process/probe-version.ts';
import { SCENARIO, scriptedAgentProgram } from '../process/program.ts';
import { restated } from '../questions/answer-text.ts';
import { failedRun } from '../run/run-shell.ts';
import { hasAnswer } from '../run/transcript.ts';
import { ControlDialogue, type ControlPlan } from './control-dialogue.ts';
import { TranscriptFile } from './deliveries.ts';
import { type Dialogue, PlainDialogue } from './dialogue.ts';
import { argv, type ClaudeOptions, claudeDefaults, programOf } from './launch.ts';
import { ClaudeRun, type Launched } from './run.ts';

/**
 * The driver of Claude Code, or of another program that speaks its protocol.
 *
 * @example claudeDriver({ name: 'scripted', program: process.execPath, args: ['scripted-agent.js'] })
 */
export function claudeDriver(overrides: Partial<ClaudeOptions> = {}): AgentDriver {
  const options: ClaudeOptions = { ...claudeDefaults, ...overrides };
  return {
    name: options.name,
    async probe(setup) {
      const program = programOf(options, setup);
      if (typeof program === 'string') return { found: false, message: program };
      const probed = await probeVersion(options.name, program.path, program.env, setup.cwd, program.args);
      return probed.found ? { ...probed, notes: options.notes(setup.env) } : probed;
    },
    start(setup, prompt) {
      const hasBegun: Launched['hasBegun'] = ({ messages }) =>
        messages.some((text) => text.includes(prompt.trim()));
      return launch(options, setup, {
        dialogue: dialogueFor(options, setup, { prompt, settled: new Map() }),
        hasBegun,
      });
    },
    resume(setup, recipe, settled, words = '') {
      const { sessionId } = recipe;
      const resumedSetup = { ...setup, cwd: recipe.cwd ?? setup.cwd };
      if (sessionId === undefined) {
        return failedRun('failed', `${options.name} has no session to resume.`);
      }
      const answers = byCall(recipe, settled);
      const dialogue = dialogueFor(options, resumedSetup, { words, settled: answers });
      const hasBegun: Launched['hasBegun'] = (transcript) =>
        [...answers].every(([call, each]) => hasAnswer(transcript, each, call)) &&
        (words === '' || transcript.messages.some((text) => text.includes(words.trim())));
      return launch(options, resumedSetup, { dialogue, sessionId, hasBegun });
    },
    async transcript(setup, sessionId) {
      const program = programOf(options, setup);
      if (typeof program === 'string' || !options.savesTranscripts) return undefined;
      return new TranscriptFile(program.env, sessionId, setup.sandbox).look();
    },
  };
}

/** For a new session, which has a prompt, or for one that is resumed with what was settled and said since. */
function dialogueFor(
  { name, mode }: ClaudeOptions,
  setup: AgentSetup,
  { prompt, words, settled }: Pick<ControlPlan, 'prompt' | 'words' | 'settled'>,
): Dialogue {
  if (mode === 'control') return new ControlDialogue({ name, setup, prompt, words, settled });
  const text = prompt ?? restated([...settled.values()], words);
  return new PlainDialogue({ name, setup, text, asksElsewhere: mode === 'mcp' });
}

/** Settled notifications, keyed by the call that asked. */
function byCall(recipe: ResumeRecipe, settled: readonly Notification[]): Map<string, Notification> {
  const only = settled.length === 1 ? recipe.toolCallId : undefined;
  return new Map(settled.map((each) => [each.resume?.toolCallId ?? only ?? each.id, each]));
}

function launch(
  options: ClaudeOptions,
  setup: AgentSetup,
  begin: Pick<Launched, 'dialogue' | 'sessionId' | 'hasBegun'>,
): AgentRun {
  const { name, mode, mcp, savesTranscripts } = options;
  if (!isFolder(setup.cwd))
    return failedRun('failed', `${name} cannot start because the folder ${setup.cwd} does not exist.`);
  const program = programOf(options, setup);
  if (typeof program === 'string') return failedRun('missing', program);
  const args = [...program.args, ...argv({ mode, setup, mcp, sessionId: begin.sessionId })];
  return new ClaudeRun({ name, setup, program: { ...program, args }, savesTranscripts, ...begin });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The agent that plays a scenario, set by FAKE_CLAUDE_CONFIG or `--scenario`. It speaks Claude Code's protocol. */
export const scriptedDriver: AgentDriver = claudeDriver({
  name: 'scripted',
  program: process.execPath,
  args: [scriptedAgentProgram()],
  needs: () => SCENARIO,
  savesTranscripts: false,
  notes: () => [],
  advice: 'It is part of Fermata, so reinstall Fermata.',
});
