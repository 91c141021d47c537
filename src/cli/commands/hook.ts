import type { Command } from 'commander';
import type { HookPlace } from '../../sessions/claude/hook.ts';
import { HookInput } from '../../sessions/claude/hook-input.ts';
import { type CommonOptions, withCommonOptions } from '../command.ts';
import { withCommandContext } from '../command-context.ts';
import { describeError, print, tell } from '../output.ts';
import { wholeInput } from '../recorded-input.ts';

/**
 * Called by the hooks of an agent program. It must never be in the way: whatever goes wrong, it ends with 0 and prints nothing, and
 * the dialog at the desk works as without it.
 */
export function define(command: Command): void {
  withCommonOptions(command)
    .description('Record an event of a session of Claude Code. Called by its hooks.')
    .argument('<agent>', 'claude')
    .action(async (_: string, options: CommonOptions) => {
      try {
        const input = HookInput.safeParse(JSON.parse((await wholeInput('-', MAX_BYTES, '')).toString()));
        if (input.success) await act(input.data, options);
      } catch (error) {
        tell(`fermata: ${describeError(error, options.debug ?? false)}`);
      }
      // Nothing that is still open may keep Claude Code waiting.
      process.exit(0);
    });
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Claude Code waits for every hook but that of a dialog, which it shows meanwhile. */
const LIMIT_MS = 4000;

async function act(input: HookInput, options: CommonOptions): Promise<void> {
  const isDialog = input.hook_event_name === 'PermissionRequest';
  if (!isDialog) setTimeout(() => process.exit(0), LIMIT_MS);
  const closed = closedBySignal();
  process.chdir(input.cwd);
  await withCommandContext(
    options,
    async ({ ledger, by, project }) => {
      const { id: projectId } = await project();
      const { runHook } = await import('../../sessions/claude/hook.ts');
      const { CLAUDE_PID, CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_JOB_DIR, ...env } = process.env;
      const place: HookPlace = {
        ...{ ledger, projectId, closed },
        person: by('desk'),
        pid: Number(CLAUDE_PID) || process.ppid,
        socket: env.CLAUDE_CODE_MESSAGING_SOCKET,
        // Older versions do not say it.
        attended:
          attended === undefined ? env.CLAUDE_CODE_ENTRYPOINT === 'cli' && !CLAUDE_JOB_DIR : attended === '1',
      };
      const output = await runHook(place, input);
      if (output) await print(JSON.stringify(output));
    },
    isDialog ? undefined : 0,
  );
}

/** A dialog that is closed ends its hook with a signal, and so does the end of Claude Code. */
function closedBySignal(): AbortSignal {
  const closed = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => closed.abort());
  return closed.signal;
}
