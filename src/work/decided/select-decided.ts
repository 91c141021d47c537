import type { Decision } from '../../schema/decision.ts';
import type { MadeFrom } from '../../schema/made-from.ts';
import type { Decided, DecidedAssumption, Nearness } from './decided.ts';

/** What decisions about a phase or task can refer to. */
export interface DecidedPhase {
  taskId: string;
  /** The common prefix of the plan's task ids; undefined without a plan. */
  within?: string;
  /** The feedback it came from. */
  feedback?: string;
  /** The numbers of the issues that it covers. */
  issues: readonly number[];
}

type OriginQuestion = MadeFrom['questions'][number];

/**
 * What was decided about a phase: about its issues, its plan and the project. `current` are the current decisions, newest
 * first; `written` are the assumptions that the plan's author wrote down.
 */
export function selectDecided(
  phase: DecidedPhase,
  current: readonly Decision[],
  origin: MadeFrom | undefined,
  written: readonly string[],
): Decided {
  const newest = newestOfEach(current);
  const answered = new Map<OriginQuestion, Decision>();
  for (const question of origin?.questions ?? []) {
    const decision = newest.find((each) => answers(each, question, origin?.asker));
    if (decision) answered.set(question, decision);
  }
  const questionOf = new Map([...answered].map(([question, { id }]) => [id, question]));
  return {
    decisions: newest.flatMap((decision) => {
      const question = questionOf.get(decision.id);
      const about = question ? nearness(question, phase) : placeOf(decision, phase, origin);
      if (about === undefined) return [];
      const { id, question: text, answer, note, at, by } = decision;
      const issues = question?.issues ?? [];
      return [{ id, question: text, answer, note, by: by.actor.name, at, about, issues }];
    }),
    assumptions: [
      ...(origin?.questions ?? []).filter((question) => !answered.has(question)).map(assumed(phase)),
      ...written.map((assumption): DecidedAssumption => {
        return { question: null, assumption, reason: null, about: 'plan', issues: [] };
      }),
    ],
    issues: phase.issues.map((number) => {
      const known = origin?.issues.find((issue) => issue.number === number);
      return { number, title: known?.title ?? '', text: known?.text ?? null };
    }),
  };
}

/** If the same question was asked more than once, the last answer wins. */
function newestOfEach(decisions: readonly Decision[]): Decision[] {
  const seen = new Set<string>();
  return decisions.filter(({ source, sourceId, question }) => {
    const key = JSON.stringify([source, sourceId, question]);
    return !seen.has(key) && seen.add(key);
  });
}

/** Includes an answer that came after the plan was written. */
function answers(decision: Decision, { question, notification }: OriginQuestion, asker?: string): boolean {
  if (decision.notificationId === notification) return true;
  return decision.source === 'gap' && decision.sourceId === asker && decision.question === question;
}

const nearness = ({ issues }: OriginQuestion, phase: DecidedPhase): Nearness =>
  issues.some((number) => phase.issues.includes(number)) ? 'phase' : 'plan';

/** A phase's task is named `<plan>/<phase>[-<variant>]`. */
const phaseTask = /^[^/]+\/\d+(?:\.\d+)*[a-z]?(?:-[A-Z])?$/;

/**
 * What an answer is about, judged by its asker; undefined if it belongs to another plan. An approval allows one thing and
 * decides nothing else.
 */
function placeOf(
  decision: Decision,
  phase: DecidedPhase,
  origin: MadeFrom | undefined,
): Nearness | undefined {
  const { source, sourceId } = decision;
  if (source === 'approval') return undefined;
  if (sourceId === phase.taskId || (source === 'eval' && sourceId === phase.feedback)) return 'phase';
  if (phase.within !== undefined && sourceId.startsWith(phase.within)) return 'plan';
  if (source === 'gap') return ofIssues(decision, phase, origin);
  return source === 'gate' || phaseTask.test(sourceId) ? undefined : 'project';
}

/** Asked while another plan was drafted, or before its origin was recorded: the question names its issues. */
function ofIssues(
  { question, sourceId }: Decision,
  { issues }: DecidedPhase,
  origin: MadeFrom | undefined,
): Nearness | undefined {
  const named = Array.from(question.matchAll(/#(\d{1,15})/g), ([, number]) => Number(number));
  const isOurs = origin === undefined || origin.asker === sourceId;
  if (isOurs && named.some((number) => issues.includes(number))) return 'phase';
  return origin === undefined ? 'project' : undefined;
}

function assumed(phase: DecidedPhase) {
  return (question: OriginQuestion): DecidedAssumption => ({
    question: question.question,
    assumption: question.assumed,
    reason: question.reason,
    about: nearness(question, phase),
    issues: question.issues,
  });
}
