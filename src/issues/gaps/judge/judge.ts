import type { GapType } from '../../../schema/qa.ts';
import type { Issue } from '../../issue.ts';
import type { Stack } from '../../repository/stack.ts';
import { findBehaviour, findInTitle } from '../find/behaviour.ts';
import { findClarified, findDoubt, findLinked, findLinkedInTitle } from '../find/elsewhere.ts';
import { findFault, findFaultInTitle } from '../find/fault.ts';
import { findOpenChoices } from '../find/open-choice.ts';
import { findStructure } from '../find/structure.ts';
import { beyondTitle, findDescription, findVagueness } from '../find/vagueness.ts';
import type { Evidence, Finding, IssueKind } from '../gap.ts';
import { type IssueText, readIssueText, writtenPieces } from '../issue-text.ts';
import { kindOf } from '../kind.ts';
import type { Case } from './case.ts';
import { judgeContext, judgeDependencies, judgeScope, judgeStack } from './context.ts';
import { clarity, judgeCriteria } from './criteria.ts';

export interface Judgement {
  kind: IssueKind;
  evidence: Evidence[];
  findings: Finding[];
  clarity: number;
}

/** Reads an issue and finds what it leaves open: at most one finding per type. */
export function judgeIssue(issue: Issue, stack: Stack | undefined): Judgement {
  const text = readIssueText(issue);
  const evidence = findEvidence(text);
  const kind = kindOf(text, evidence);
  const bare =
    writtenPieces(text.body).length === 0 &&
    text.body.document.images.length === 0 &&
    text.body.document.fences.every((fence) => fence.kind === 'empty');
  const the: Case = { text, kind, evidence, choices: findOpenChoices(text), stack, bare };
  const clarified = clarifiedIn(text);
  const findings = [judgeCriteria, judgeStack, judgeDependencies, judgeScope, judgeContext]
    .flatMap((judge) => judge(the))
    .filter((finding) => !clarified.has(finding.type));
  return { kind, evidence: [...evidence, ...clarified.values()], findings, clarity: clarity(the) };
}

function findEvidence(text: IssueText): Evidence[] {
  const { body, comments } = text;
  const beyond = beyondTitle(text);
  return [
    ...findInTitle(text),
    ...findFaultInTitle(text),
    ...findLinkedInTitle(text),
    ...findVagueness(text),
    ...findDescription(text),
    ...findDoubt(body, beyond),
    ...emptySections(text),
    // A comment can close a gap, but does not open one.
    ...[body, ...comments].flatMap((each) => [
      ...findStructure(each, beyond),
      ...findBehaviour(each, beyond),
      ...findFault(each, text.titleText, beyond),
      ...findLinked(each),
    ]),
  ];
}

function emptySections({ body }: IssueText): Evidence[] {
  return body.document.sections
    .filter((section) => section.empty && section.topic !== undefined && section.topic !== 'extra')
    .map((section) => body.evidence('empty_section', section.at, section.heading.length + 8, 0.5));
}

function clarifiedIn({ body, comments }: IssueText): Map<GapType, Evidence> {
  return new Map([body, ...comments].flatMap((each) => [...findClarified(each)]));
}
