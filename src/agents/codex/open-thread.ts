import { isRecord } from '../../ledger/forms/record.ts';
import type { AgentSetup } from '../driver.ts';
import { askHuman } from '../questions/ask-human.ts';
import type { Connection } from './connection.ts';

/** What begins the run: a new thread, or one to continue. */
export interface Beginning {
  threadId?: string;
  text: string;
}

/** Codex asks a person, whatever their config.toml says: before a command leaves its own sandbox. */
const asks = { approvalPolicy: 'on-request', sandbox: 'workspace-write' };

/**
 * Its own sandbox needs a user namespace, which ours does not give it, so it has none. Then it would ask about nothing, so it
 * is told to ask about every command and change that it does not know to be harmless.
 */
const asksInOurSandbox = { approvalPolicy: 'untrusted', sandbox: 'danger-full-access' };

/** Initializes `codex app-server` and opens the agent's thread. */
export async function openThread(
  connection: Connection,
  { cwd, model, sandbox }: Pick<AgentSetup, 'cwd' | 'model' | 'sandbox'>,
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
    ...(sandbox ? asksInOurSandbox : asks),
  };
  const { thread } = threadId
    ? await connection.call('thread/resume', { threadId, ...common, excludeTurns: true })
    : await connection.call('thread/start', common);
  const id = isRecord(thread) && typeof thread.id === 'string' ? thread.id : threadId;
  if (id === undefined) throw new Error('it did not open a thread');
  return { version: /\/(\d[\w.-]*)/.exec(String(hello.userAgent ?? ''))?.[1] ?? '', threadId: id };
}
