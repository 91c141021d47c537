import { createHash } from 'node:crypto';
import type { By } from '../../schema/actor.ts';
import { type TrustedContent, TrustedContentInput } from '../../schema/trusted-content.ts';
import { check } from '../check.ts';
import { insert } from '../engine/statements.ts';
import type { SqlRunner, Store, Tx } from '../engine/store.ts';
import { iso } from '../engine/stored.ts';
import type { TrustedContentRow } from '../engine/tables.ts';
import { refuseAgent } from './refuse-agent.ts';

/** SHA-256, in hex. */
export function contentHash(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** What a person has accepted from a repository: its configuration, protocols, prompts and plans. */
export class TrustRegister {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /** Accepts these contents, all or none. Each replaces the one with the same name. */
  async accept(projectId: string, contents: TrustedContentInput[], by: By): Promise<void> {
    refuseAgent(by, 'decide what to trust');
    const given = contents.map((content) => check(TrustedContentInput, content, 'Trusted content'));
    return this.#store.write(projectId, async (tx) => {
      for (const { name, content } of given) {
        const hash = contentHash(content);
        if ((await selectTrustedContent(tx, projectId, name))?.hash === hash) continue;
        const row = { project_id: projectId, name, hash, content, by: JSON.stringify(by), at: tx.now };
        await insert(tx, 'trusted_contents', row, ['project_id', 'name']);
        tx.emit({ type: 'settings.updated', by, data: { trusted: { name, hash } } });
      }
    });
  }

  /** False if nothing with that name was trusted. */
  async revoke(projectId: string, name: string, by: By): Promise<boolean> {
    refuseAgent(by, 'decide what to trust');
    return this.#store.write(projectId, async (tx) => {
      const wasTrusted = await deleteTrustedContent(tx, name);
      if (wasTrusted) tx.emit({ type: 'settings.updated', by, data: { revoked: { name } } });
      return wasTrusted;
    });
  }

  async find(projectId: string, name: string): Promise<TrustedContent | undefined> {
    const row = await selectTrustedContent(this.#store.reader, projectId, name);
    return row && toTrustedContent(row);
  }

  /** By name. */
  async list(projectId: string): Promise<TrustedContent[]> {
    return (await selectTrustedContents(this.#store.reader, projectId)).map(toTrustedContent);
  }
}

function toTrustedContent({ project_id, name, hash, content, by, at }: TrustedContentRow): TrustedContent {
  return { projectId: project_id, name, hash, content, by: JSON.parse(by), at: iso(at) };
}

/** The trusted contents of a project, by name. */
function selectTrustedContents(runner: SqlRunner, projectId: string): Promise<TrustedContentRow[]> {
  return runner.sql<TrustedContentRow>(
    'select * from trusted_contents where project_id = ? order by name',
    projectId,
  );
}

export async function selectTrustedContent(
  runner: SqlRunner,
  projectId: string,
  name: string,
): Promise<TrustedContentRow | undefined> {
  const [row] = await runner.sql<TrustedContentRow>(
    'select * from trusted_contents where project_id = ? and name = ?',
    projectId,
    name,
  );
  return row;
}

/** False if there was none. */
async function deleteTrustedContent(tx: Tx, name: string): Promise<boolean> {
  const rows = await tx.sql<{ name: string }>(
    'delete from trusted_contents where project_id = ? and name = ? returning name',
    tx.projectId,
    name,
  );
  return rows.length > 0;
}
