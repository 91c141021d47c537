import { join, resolve } from 'node:path';
import { MOST_TASKS } from '../../agents/roles/planner-answer.ts';
import { agentOf } from '../../agents/run/run-options.ts';
import { readDecomposition } from '../../plan/decompose/read-decomposition.ts';
import { refuseUnusableFolder, slug } from '../../plan/plan-folder.ts';
import { isWritten, writePlanFolder } from '../../plan/write-plan-folder.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Consultation } from '../../schema/consultation.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import { type CommandContext, withTrustedCommandContext } from '../command-context.ts';
import { givenText } from '../given-text.ts';
import { tellNextSteps } from '../next-steps.ts';
import { print, printJson, tell } from '../output.ts';
import { consultRole, roleData } from '../roles/consult-role.ts';
import { findConsultation } from '../roles/find-consultation.ts';
import { reportUnfinished } from '../roles/report-unfinished.ts';
import type { RoleOptions } from '../roles/role-options.ts';
import { shownPath } from '../shown-path.ts';

export interface DecomposeOptions extends RoleOptions {
  output?: string;
}

/** Lets the Planner take a plan apart, and writes the phases at once when they pass the audit. */
export async function decompose(plan: string | undefined, options: DecomposeOptions): Promise<void> {
  await withTrustedCommandContext(options, async (context) => {
    const consultation = await begin(context, plan, options);
    const output = String(consultation.data.output);
    const created = consultation.createdAt.slice(0, 10);
    const { consulted, interrupted } = await consultRole(context, consultation, options, {
      read: (text) => readDecomposition(text, output, created),
      values: () => ({ mostTasks: String(MOST_TASKS) }),
    });
    if (consulted.kind !== 'accepted') {
      const goOn = cmd`plan decompose --resume ${consultation.id}`;
      return reportUnfinished(context, consultation, consulted, interrupted, goOn, options);
    }
    const { answer, files } = consulted.value;
    // Killed between writing and saying so, it is there already.
    if (!isWritten(output, files)) writePlanFolder(output, files);
    const { projectId, id } = consultation;
    const by = agentOf({ name: consulted.run.agent });
    const names = files.map(({ name }) => name);
    await context.ledger.consultations.finish(projectId, id, { output, files: names }, by);
    if (options.format === 'json') return printJson({ output, files: names, phases: answer.phases.length });
    await print([shownPath(output), ...names.map((name) => `  ${name}`)].join('\n'));
    tell(`Wrote ${counted(answer.phases.length, 'phase')}, which pass the audit.`);
    tellNextSteps(output);
  });
}

async function begin(
  context: CommandContext,
  plan: string | undefined,
  options: DecomposeOptions,
): Promise<Consultation> {
  const { id: projectId } = await context.project();
  if (options.resume !== undefined) {
    if (plan !== undefined || options.output !== undefined) {
      throw new FermataError('invalid', '--resume uses the original plan and --output. Leave them out.');
    }
    const found = await findConsultation(context, projectId, 'planner', options.resume);
    if (found.status === 'open') {
      refuseUnusableFolder(String(found.data.output), true);
      return found;
    }
    throw new FermataError('conflict', `${found.id} is already done. See ${found.result?.output}.`);
  }
  const text = await givenText(plan, 'the plan');
  const root = context.settings.project.value.root;
  const output = resolve(options.output ?? join(root, 'plans', slug(text)));
  refuseUnusableFolder(output);
  const data = { ...roleData(options), output };
  const input = { projectId, role: 'planner' as const, subject: slug(text), text, data };
  return context.ledger.consultations.begin(input, context.by('command'));
}
