import type { Stack } from '../../repository/stack.ts';
import type { Evidence } from '../evidence.ts';
import type { OpenChoice } from '../find/open-choice.ts';
import type { IssueKind } from '../issue-kind.ts';
import type { IssueText } from '../issue-text.ts';

/** Everything that is known about one issue when its gaps are judged. */
export interface Case {
  text: IssueText;
  kind: IssueKind;
  evidence: Evidence[];
  choices: OpenChoice[];
  stack: Stack | undefined;
  /** The body contains only placeholders. */
  bare: boolean;
}
