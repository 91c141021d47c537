import { PlanOrigin } from '../../schema/plan-origin.ts';
import { check } from '../check.ts';
import { toPlanOrigin } from '../engine/rows.ts';
import type { Store } from '../engine/store.ts';
import { type Redact, redactAll } from '../redact/redact.ts';
import { putPlanOrigin, selectPlanOrigin } from './plan-origin-sql.ts';

/** What each plan was made from, so that whoever carries it out can be told, without the tracker. */
export class PlanOrigins {
  readonly #store: Store;
  readonly #redact: Redact;

  /** @internal */
  constructor(store: Store, redact: Redact) {
    this.#store = store;
    this.#redact = redact;
  }

  /** Keeps it in the place of what an earlier plan of the same name was made from. */
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
