import { PlanOrigin } from '../../schema/plan-origin.ts';
import { check } from '../check.ts';
import type { SqlRunner, Store, Tx } from '../engine/store.ts';
import type { PlanOriginRow } from '../engine/tables.ts';
import { type Redact, redactAll } from '../redact/redact.ts';

/**
 * What each plan was made from, so that an agent can be told without asking the tracker. It has no answers: those are read
 * from the decisions each time, so a late or amended one takes effect without changing the plan.
 */
export class PlanOrigins {
  readonly #store: Store;
  readonly #redact: Redact;

  /** @internal */
  constructor(store: Store, redact: Redact) {
    this.#store = store;
    this.#redact = redact;
  }

  /** Replaces the origin of an earlier plan with the same name. */
  async record(input: PlanOrigin): Promise<void> {
    const { projectId, plan, asker, issues, questions } = check(PlanOrigin, input, 'Origin of a plan');
    const clean = (value: unknown) => JSON.stringify(redactAll(value, this.#redact));
    await this.#store.write(projectId, (tx) =>
      putPlanOrigin(tx, {
        project_id: projectId,
        plan,
        asker,
        issues: clean(issues),
        questions: clean(questions),
        at: tx.now,
      }),
    );
  }

  async find(projectId: string, plan: string): Promise<PlanOrigin | undefined> {
    const row = await selectPlanOrigin(this.#store.reader, projectId, plan);
    return row && toPlanOrigin(row);
  }
}

async function selectPlanOrigin(
  runner: SqlRunner,
  projectId: string,
  plan: string,
): Promise<PlanOriginRow | undefined> {
  const [row] = await runner.sql<PlanOriginRow>(
    'select * from plan_origins where project_id = ? and plan = ?',
    projectId,
    plan,
  );
  return row;
}

/** Replaces the one of the same plan. */
async function putPlanOrigin(tx: Tx, row: PlanOriginRow): Promise<void> {
  await tx.run(
    tx.db
      .insertInto('plan_origins')
      .values(row)
      .onConflict((conflict) => conflict.columns(['project_id', 'plan']).doUpdateSet(row)),
  );
}

function toPlanOrigin({ project_id, plan, asker, issues, questions }: PlanOriginRow): PlanOrigin {
  return {
    projectId: project_id,
    plan,
    asker,
    issues: JSON.parse(issues),
    questions: JSON.parse(questions),
  };
}
