import { shownPath } from '../../files/real-path.ts';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import { decompose as decomposePlan, openDecomposition } from '../../work/kinds/roles/decompose.ts';
import { givenText } from '../given-text.ts';
import { tellNextSteps } from '../next-steps.ts';
import { print, printJson, tell } from '../output.ts';
import { attendRole } from '../roles/attend-role.ts';
import type { RoleOptions } from '../roles/role-options.ts';

export interface DecomposeOptions extends RoleOptions {
  output?: string;
}

/** Has the Planner split a plan, and prints the phases. */
export async function decompose(plan: string | undefined, options: DecomposeOptions): Promise<void> {
  const { resume, output: folder, format } = options;
  if (resume !== undefined && (plan !== undefined || folder !== undefined))
    throw new FermataError('invalid', '--resume uses the original plan and --output. Leave them out.');
  const wanted = async () =>
    resume === undefined ? { plan: await givenText(plan, 'the plan'), output: folder } : { resume };
  await attendRole(
    options,
    (id) => cmd`plan decompose --resume ${id}`,
    async (context, consulting) => decomposePlan(context, await wanted(), consulting),
    async ({ output, files, phases }) => {
      if (format === 'json') return printJson({ output, files, phases });
      await print([shownPath(output), ...files.map((name) => `  ${name}`)].join('\n'));
      tell(`Wrote ${counted(phases, 'phase')}, which pass the audit.`);
      tellNextSteps(output, options);
    },
    async (context, consulting) => openDecomposition(context, await wanted(), consulting),
  );
}
