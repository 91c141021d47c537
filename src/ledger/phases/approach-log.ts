import { type Approach, ApproachInput } from '../../schema/approach.ts';
import { FermataError } from '../../schema/error.ts';
import { check } from '../check.ts';
import type { Store, Tx } from '../engine/store.ts';
import { iso } from '../engine/stored.ts';
import type { ApproachRow } from '../engine/tables.ts';
import type { Redact } from '../redact/redact.ts';
import { deleteApproach, putApproach, selectApproaches } from './approach-sql.ts';

/** What a person said about one approach. */
export interface ApproachVerdict {
  agent: string;
  number: number;
  variant: string | null;
  rejected: boolean;
  changes: string | null;
}

/** The approaches of specialists, by feature: found, reviewed, and archived once a plan uses them. */
export class ApproachLog {
  readonly #store: Store;
  readonly #redact: Redact;

  /** @internal */
  constructor(store: Store, redact: Redact) {
    this.#store = store;
    this.#redact = redact;
  }

  /** Writes or replaces an approach; its pending refinement counts as done. A number either has variants or has none. */
  async write(input: ApproachInput): Promise<Approach> {
    const given = check(ApproachInput, input, 'Approach');
    return this.#store.write(given.projectId, async (tx) => {
      refuseMixed(given, await selectApproaches(tx, given.projectId, given.scope));
      const row: ApproachRow = {
        project_id: given.projectId,
        scope: given.scope,
        agent: given.agent,
        number: given.number,
        variant: given.variant ?? '',
        description: this.#redact(given.description),
        context: this.#redact(given.context),
        files: JSON.stringify(given.files),
        notification_id: given.notificationId,
        refinement: null,
        state: 'active',
        updated_at: tx.now,
      };
      await putApproach(tx, row);
      return toApproach(row);
    });
  }

  async list(projectId: string, scope: string): Promise<Approach[]> {
    return (await selectApproaches(this.#store.reader, projectId, scope)).map(toApproach);
  }

  /** Applies what a person said. If only one variant of a number is left, it becomes a plain approach. */
  review(projectId: string, scope: string, verdicts: ApproachVerdict[]): Promise<Approach[]> {
    return this.#store.write(projectId, async (tx) => {
      const rows = await selectApproaches(tx, projectId, scope);
      for (const row of rows) {
        const verdict = verdicts.find((each) => isSame(row, each));
        if (!verdict || row.state !== 'active') continue;
        row.state = verdict.rejected ? 'rejected' : 'active';
        row.refinement = verdict.rejected ? null : verdict.changes;
        await putApproach(tx, row);
      }
      for (const row of rows.filter(isLastOfItsNumber)) await withoutLetter(tx, row);
      return (await selectApproaches(tx, projectId, scope)).map(toApproach);
    });
  }

  /** Archives the approaches and returns their specialists. */
  archive(projectId: string, scope: string): Promise<string[]> {
    return this.#store.write(projectId, async (tx) => {
      const rows = (await selectApproaches(tx, projectId, scope)).filter(({ state }) => state !== 'archived');
      for (const row of rows) await putApproach(tx, { ...row, state: 'archived', updated_at: tx.now });
      return [...new Set(rows.map(({ agent }) => agent))];
    });
  }
}

function refuseMixed(given: ApproachInput, known: ApproachRow[]): void {
  const others = known.filter(
    ({ agent, number, state }) => agent === given.agent && number === given.number && state === 'active',
  );
  const name = `${given.agent} ${given.number}`;
  if (given.variant !== null && others.some(({ variant }) => variant === '')) {
    throw new FermataError(
      'conflict',
      `Approach ${name} has no variants, so it cannot have variant ${given.variant}. Use another number, or give every variant a letter.`,
      { details: { existing: [`${given.number}`] } },
    );
  }
  const letters = others
    .filter(({ variant }) => variant !== '')
    .map(({ variant }) => `${given.number}_${variant}`);
  if (given.variant === null && letters.length > 0) {
    throw new FermataError(
      'conflict',
      `Approach ${name} has variants (${letters.join(', ')}), so it needs a letter: pass --variant.`,
      { details: { existing: letters } },
    );
  }
}

function isLastOfItsNumber(row: ApproachRow, _: number, rows: ApproachRow[]): boolean {
  const siblings = rows.filter(({ agent, number }) => agent === row.agent && number === row.number);
  const alive = siblings.filter(({ state }) => state === 'active');
  return row.variant !== '' && row.state === 'active' && alive.length === 1 && siblings.length > 1;
}

async function withoutLetter(tx: Tx, row: ApproachRow): Promise<void> {
  await deleteApproach(tx, row);
  await putApproach(tx, { ...row, variant: '' });
}

function isSame(row: ApproachRow, { agent, number, variant }: ApproachVerdict): boolean {
  return row.agent === agent && row.number === number && row.variant === (variant ?? '');
}

function toApproach(row: ApproachRow): Approach {
  return {
    agent: row.agent,
    number: row.number,
    variant: row.variant === '' ? null : row.variant,
    description: row.description,
    context: row.context,
    files: JSON.parse(row.files),
    notificationId: row.notification_id,
    pendingRefinement: row.refinement,
    state: row.state,
    updatedAt: iso(row.updated_at),
  };
}
