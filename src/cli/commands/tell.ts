import type { Command } from 'commander';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import type { Run } from '../../schema/run.ts';
import { openSessions } from '../../sessions/open-sessions.ts';
import { tellSession } from '../../sessions/tell.ts';
import type { CommonOptions } from '../command.ts';
import { type CommandContext, refuseOwnSession, withKnownLedger } from '../command-context.ts';
import { print, printJson } from '../output.ts';

export function define(command: Command): void {
  command
    .description(
      'Say something to a session that you started and connected. Its agent gets it as news from you, never as consent.',
    )
    .argument('<session>', 'its id, or the beginning of it')
    .argument('<text...>', 'what you want to say')
    .addHelpText('after', '\nExample:\n  fermata tell 3f2a "Use tabs, and skip the migration."')
    .action(async (session: string, words: string[], options: CommonOptions) => {
      await withKnownLedger(options, (context) => say(context, session, words.join(' '), options));
    });
}

async function say(
  context: CommandContext,
  session: string,
  text: string,
  { format }: CommonOptions,
): Promise<void> {
  refuseOwnSession();
  if (text.trim() === '') throw new FermataError('invalid', 'The message is empty.');
  const run = await find(context, session);
  const { message, woken } = await tellSession(context.ledger, run, text, context.by('command'));
  if (format === 'json') return printJson({ message, woken });
  await print(
    woken
      ? `Sent to ${run.sessionId}.`
      : `Queued: ${run.sessionId} gets it with your next prompt there, or at the end of its turn.`,
  );
}

async function find({ ledger, by }: CommandContext, prefix: string): Promise<Run> {
  const found: Run[] = [];
  for (const { id } of await ledger.projects.list()) {
    const open = await openSessions({ ledger, projectId: id, person: by('desk') });
    found.push(...open.map(({ run }) => run).filter(({ sessionId }) => sessionId?.startsWith(prefix)));
  }
  const [run] = found;
  if (!run || found.length > 1)
    throw new FermataError(
      run ? 'invalid' : 'not_found',
      `${run ? 'Several open sessions begin' : 'No open session begins'} with "${prefix}". To list them: ${cmd`sessions`}`,
    );
  return run;
}
