import { createHash } from 'node:crypto';
import { agentOf } from '../../agents/conducting.ts';
import { readDreamer } from '../../agents/roles/dreamer-answer.ts';
import { colorsOn } from '../../channels/colors.ts';
import { printable } from '../../channels/printable.ts';
import { slug } from '../../planning/plan-folder.ts';
import { lineDiff } from '../../planning/prd/line-diff.ts';
import { findSection, withSection } from '../../planning/prd/sections.ts';
import type { Consultation } from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import { print, printJson, tell } from '../output.ts';
import { consultRole, roleData } from '../roles/consult-role.ts';
import { findConsultation } from '../roles/find-consultation.ts';
import { reportUnfinished } from '../roles/report-unfinished.ts';
import type { RoleOptions } from '../roles/role-options.ts';
import { type Session, withSession } from '../session.ts';
import { writeFile } from '../write-file.ts';
import { prdPath, readPrd } from './file.ts';

export async function update(section: string | undefined, text: string, options: RoleOptions): Promise<void> {
  await withSession(options, async (session) => {
    const consultation = await begin(session, section, text, options);
    const path = prdPath(session.settings.project.value.root);
    const title = String(consultation.data.section);
    const current = () => findSection(readPrd(path), title)?.content ?? '';
    const { consulted, interrupted } = await consultRole(session, consultation, options, {
      // What a person wrote there while the agent was at work is not written over: the agent is told, once.
      read: (answer, run) => (run.data.basis === markOf(current()) ? readDreamer(answer) : changedMeanwhile),
      values: () => ({ section: title, current: current() || '(It is not there yet.)' }),
      basis: () => ({ basis: markOf(current()) }),
    });
    if (consulted.kind !== 'answer') {
      const goOn = `fermata prd update --resume ${consultation.id}`;
      return reportUnfinished(session, consultation, consulted, interrupted, goOn, options);
    }
    const { content, summary } = consulted.value;
    const now = readPrd(path);
    const changed = withSection(now, title, content);
    const diff = lineDiff(now, changed);
    if (diff.length > 0) writeFile(path, changed);
    const { projectId, id } = consultation;
    const by = agentOf({ name: consulted.run.agent });
    const done = await session.ledger.consultations.finish(projectId, id, { summary, section: title }, by);
    if (options.format === 'json')
      return printJson({ consultation: done, path, section: title, summary, diff });
    await print(diff.map(coloured).join('\n'));
    tell(
      diff.length > 0
        ? `${path}: ${title} is written. ${summary}`
        : `${path}: nothing had to change. ${summary}`,
    );
  });
}

async function begin(
  session: Session,
  section: string | undefined,
  text: string,
  options: RoleOptions,
): Promise<Consultation> {
  const { id: projectId } = await session.project();
  if (options.resume !== undefined) {
    if (section !== undefined) {
      throw new FermataError(
        'invalid',
        '--resume goes on with a change as it was begun: leave out section and text.',
      );
    }
    const found = await findConsultation(session, projectId, 'dreamer', options.resume);
    if (found.status === 'open') return found;
    throw new FermataError('conflict', `${found.id} is done already.`);
  }
  const title = section?.replace(/\s+/g, ' ').trim() ?? '';
  if (title === '' || text.trim() === '') {
    throw new FermataError(
      'invalid',
      'Which section, and what is to change? fermata prd update SECTION TEXT',
    );
  }
  const data = { ...roleData(options), section: title };
  const input = { projectId, role: 'dreamer' as const, subject: slug(title), text, data };
  return session.ledger.consultations.begin(input, session.by('command'));
}

const changedMeanwhile = {
  kind: 'unreadable' as const,
  reason: 'The section was changed while you were at work. Change it as it is now.',
};

const markOf = (text: string) => createHash('sha256').update(text).digest('hex');

function coloured(line: string): string {
  const colors = colorsOn(process.stdout);
  const text = printable(line);
  if (text.startsWith('+')) return colors.green(text);
  return text.startsWith('-') ? colors.red(text) : text;
}
