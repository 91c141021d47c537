import { counted } from '../../schema/counted.ts';
import { Refusal } from '../../schema/refusal.ts';
import { cleanupDebugLogs } from '../../work/debug-logs/cleanup-debug-logs.ts';
import { requireRepository } from '../../work/worktrees/worktree-context.ts';

/** Cleans the worktree around this folder. */
export async function cleanup(): Promise<object> {
  const { top } = requireRepository(process.cwd());
  const { modified, markers, lines, failed, left, unended } = await cleanupDebugLogs(top);
  const data = {
    success: failed.length === 0,
    files_modified: modified,
    markers_removed: markers,
    lines_deleted: lines,
    failed,
    left,
    unended,
  };
  if (failed.length === 0) return data;
  throw new Refusal(
    'unreadable',
    `Could not clean ${counted(failed.length, 'file')}: ${failed[0]?.file} (${failed[0]?.error}).`,
    {
      suggestion: 'Make them readable and writable, and run the command again. The other files are done.',
      data,
    },
  );
}
