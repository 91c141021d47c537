import { idKey } from '../../plan/grammar/phase-id.ts';
import type { Phase, PhaseFile, PhaseRow, Plan } from '../../plan/grammar/plan.ts';
import { frontMatterOf } from '../phases/front-matter.ts';
import { bindingPart, type PhaseTerms, readBindingPart, termsOf, termsText } from './binding-part.ts';

/**
 * A plan with the terms that a person approved, whatever its files say now: its phases, their order, human gates,
 * variants and gate commands. Everything else (texts, progress) comes from the files.
 */
export function asApproved(written: Plan, approved: string): Plan {
  if (bindingPart(written) === approved) return written;
  const terms = readBindingPart(approved);
  const ids = new Set(terms.map(({ id }) => idKey(id)));
  const phases = terms.map((each) => {
    const current = written.phases.find(({ id }) => idKey(id) === idKey(each.id));
    const isSame = current && termsText(termsOf(written, current)) === termsText(each);
    return isSame ? current : withTerms(written, current ?? missingPhase(each.id, each.title), each, ids);
  });
  return { ...written, phases };
}

function withTerms(written: Plan, phase: Phase, terms: PhaseTerms, ids: ReadonlySet<string>): Phase {
  const { after, needs, testedByPerson, isFix, variants, gates, title } = terms;
  const { kind: _kind, type: _type, ...front } = frontMatterOf(written, phase);
  return {
    ...phase,
    title,
    front: { ...front, requires_manual_testing: testedByPerson, debug: isFix, variants },
    file: { ...(phase.file ?? missingFile), gates: gates.map((gate) => ({ ...gate, ...unplaced })) },
    dependsOn: [
      ...after.map((id) => ({ id, known: ids.has(idKey(id)), text: id, span: nowhere })),
      ...needs.map((text) => ({ id: null, known: false, text, span: nowhere })),
    ],
  };
}

const nowhere = { line: 1, column: 1, length: 1 };
const unplaced = { covers: [], line: 1, span: nowhere };

const missingFile: PhaseFile = {
  path: '',
  id: null,
  title: null,
  span: nowhere,
  status: undefined,
  dependencies: [],
  gates: [],
  tasks: [],
  process: [],
  notes: { input: null, output: null },
  agents: [],
  criteria: [],
  issues: [],
  sections: {},
};

/** A phase without a file. */
export function missingPhase(id: string, title = ''): Phase {
  const row: PhaseRow = {
    id,
    title,
    path: '',
    outside: false,
    focus: '',
    risk: '',
    status: undefined,
    statusSpan: undefined,
    extra: [],
    raw: '',
    span: nowhere,
    linkSpan: nowhere,
  };
  return { id, title, path: '', status: 'pending', row, file: undefined, dependsOn: [], issues: [] };
}
