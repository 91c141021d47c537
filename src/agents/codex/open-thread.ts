import { isRecord } from '../../ledger/forms/record.ts';
import type { AgentSetup } from '../driver.ts';
import { askHuman } from '../questions/ask-human.ts';
import type { Connection } from './connection.ts';

/** What begins the run: a new thread, or one to continue. */
export interface Beginning {
  threadId?: string;
  text: string;
}

/** Initializes `codex app-server` and opens the agent's thread. */
export async function openThread(
  connection: Connection,
  { cwd, model }: Pick<AgentSetup, 'cwd' | 'model'>,
  { threadId }: Beginning,
): Promise<{ version: string; threadId: string }> {
  const hello = await connection.call('initialize', {
    clientInfo: { name: 'fermata', title: 'Fermata', version: '1' },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  connection.notify('initialized');
  const common = {
    cwd,
    ...(model ? { model } : {}),
    dynamicTools: [askHuman],
    // Codex asks a person, whatever their config.toml says.
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
  };
  const { thread } = threadId
    ? await connection.call('thread/resume', { threadId, ...common, excludeTurns: true })
    : await connection.call('thread/start', common);
  const id = isRecord(thread) && typeof thread.id === 'string' ? thread.id : threadId;
  if (id === undefined) throw new Error('it did not open a thread');
  return { version: /\/(\d[\w.-]*)/.exec(String(hello.userAgent ?? ''))?.[1] ?? '', threadId: id };
}
