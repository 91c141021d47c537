import { createHash } from 'node:crypto';
import { readDreamer } from '../../agents/roles/dreamer-answer.ts';
import { agentOf } from '../../agents/run/run-options.ts';
import { colorsOn } from '../../channels/colors.ts';
import { slug } from '../../plan/plan-folder.ts';
import { findSection, withSection } from '../../plan/prd/sections.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Consultation } from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import { lineDiff } from '../../schema/line-diff.ts';
import { visible } from '../../schema/visible.ts';
import { type CommandContext, withTrustedCommandContext } from '../command-context.ts';
import { print, printJson, tell } from '../output.ts';
import { consultRole, roleData } from '../roles/consult-role.ts';
import { findConsultation } from '../roles/find-consultation.ts';
import { reportUnfinished } from '../roles/report-unfinished.ts';
import type { RoleOptions } from '../roles/role-options.ts';
import { writeFile } from '../write-file.ts';
import { prdPath, readPrd } from './file.ts';

export async function update(section: string | undefined, text: string, options: RoleOptions): Promise<void> {
  await withTrustedCommandContext(options, async (context) => {
    const consultation = await begin(context, section, text, options);
    const path = prdPath(context.settings.project.value.root);
    const title = String(consultation.data.section);
    const current = () => findSection(readPrd(path), title)?.content ?? '';
    const { consulted, interrupted } = await consultRole(context, consultation, options, {
      // What a person wrote there while the agent was at work is not written over: the agent is told, once.
      read: (answer, run) => (run.data.basis === markOf(current()) ? readDreamer(answer) : changedMeanwhile),
      values: () => ({ section: title, current: current() || '(It does not exist yet.)' }),
      basis: () => ({ basis: markOf(current()) }),
    });
    if (consulted.kind !== 'accepted') {
      const goOn = cmd`prd update --resume ${consultation.id}`;
      return reportUnfinished(context, consultation, consulted, interrupted, goOn, options);
    }
    const { content, summary } = consulted.value;
    const now = readPrd(path);
    const changed = withSection(now, title, content);
    const diff = lineDiff(now, changed);
    if (diff.length > 0) writeFile(path, changed);
    const { projectId, id } = consultation;
    const by = agentOf({ name: consulted.run.agent });
    const done = await context.ledger.consultations.finish(projectId, id, { summary, section: title }, by);
    if (options.format === 'json')
      return printJson({ consultation: done, path, section: title, summary, diff });
    await print(diff.map(coloured).join('\n'));
    tell(
      diff.length > 0
        ? `Wrote the section ${title} in ${path}. ${summary}`
        : `${path} did not need a change. ${summary}`,
    );
  });
}

async function begin(
  context: CommandContext,
  section: string | undefined,
  text: string,
  options: RoleOptions,
): Promise<Consultation> {
  const { id: projectId } = await context.project();
  if (options.resume !== undefined) {
    if (section !== undefined) {
      throw new FermataError(
        'invalid',
        '--resume continues an earlier change. Leave out the section and the text.',
      );
    }
    const found = await findConsultation(context, projectId, 'dreamer', options.resume);
    if (found.status === 'open') return found;
    throw new FermataError('conflict', `${found.id} is already done.`);
  }
  const title = section?.replace(/\s+/g, ' ').trim() ?? '';
  if (title === '' || text.trim() === '') {
    throw new FermataError('invalid', `Pass the section and what to change: ${cmd`prd update SECTION TEXT`}`);
  }
  const data = { ...roleData(options), section: title };
  const input = { projectId, role: 'dreamer' as const, subject: slug(title), text, data };
  return context.ledger.consultations.begin(input, context.by('command'));
}

const changedMeanwhile = {
  kind: 'unreadable' as const,
  reason: 'The section was changed while you worked on it. Change the current version.',
};

const markOf = (text: string) => createHash('sha256').update(text).digest('hex');

function coloured(line: string): string {
  const colors = colorsOn(process.stdout);
  const text = visible(line);
  if (text.startsWith('+')) return colors.green(text);
  return text.startsWith('-') ? colors.red(text) : text;
}
