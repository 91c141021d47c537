import { readImplementation, recordImplementation } from '../../work/phases/record.ts';
import { type PlanOptions, withPhase } from './plan-context.ts';

export interface RecordOptions extends PlanOptions {
  walkthrough?: string;
  iteration?: string;
  refinementReason?: string;
}

export function record(number: string, variant: string | undefined, options: RecordOptions): Promise<object> {
  const given = readImplementation(options.walkthrough, options.iteration, options.refinementReason);
  return withPhase(options, number, variant, (planContext, at) =>
    recordImplementation(planContext, at, given),
  );
}
