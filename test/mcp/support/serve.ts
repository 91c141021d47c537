import { join } from 'node:path';
import { type Ledger, openLedger } from '../../../src/index.ts';
import { startJsonLines } from '../../agents/clis/json-lines.ts';
import { BIN, environment, fermata, freshFolder } from '../../support/fermata.ts';

/** Where it runs, and as whom. */
interface Place {
  cwd?: string;
  FERMATA_HOME?: string;
  FERMATA_AGENT?: string;
  FERMATA_TASK?: string;
  FERMATA_FENCE?: string;
}

/** `fermata mcp` as a client has it, and the person's side of the same ledger. */
export function serveMcp(
  args: string[] = [],
  { cwd = freshFolder(), FERMATA_HOME = join(cwd, '..', 'home'), ...agent }: Place = {},
) {
  const env = { FERMATA_HOME };
  const defined = Object.entries(environment({ ...env, ...agent })).flatMap(([k, v]) =>
    v === undefined ? [] : [[k, v]],
  );
  const home = { cwd, home: cwd, env: Object.fromEntries(defined), remove: () => undefined };
  const client = startJsonLines(process.execPath, [BIN, 'mcp', ...args], home);
  let lastId = 0;
  const call = async (method: string, params: object = {}) => {
    const id = ++lastId;
    client.send({ jsonrpc: '2.0', id, method, params });
    return client.message((message) => message.id === id);
  };
  const inLedger = async <T>(look: (ledger: Ledger) => Promise<T | undefined>): Promise<T> => {
    const ledger = await openLedger(join(env.FERMATA_HOME, 'ledger.db'));
    try {
      for (;;) {
        const found = await look(ledger);
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    } finally {
      await ledger.close();
    }
  };
  /** Waits for the open question, or for the one with this text if there are several. */
  const asked = (text?: string) =>
    inLedger(async ({ notifications }) =>
      (await notifications.list()).notifications.find(
        ({ questions }) => text === undefined || questions[0]?.text === text,
      ),
    );
  const stored = (id: string) => inLedger(({ notifications }) => notifications.find(id));
  const answer = (id: string, value: string) => fermata(['answer', id, value], { cwd, env });
  /** The id of the next call. */
  const nextId = () => lastId + 1;
  return { client, call, nextId, asked, stored, answer, cwd, env };
}

export const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'a-client', version: '1' },
};
