import type { SaidAgent } from '../../work/agent/choose-agent.ts';
import type { CommonOptions } from '../command.ts';
import type { IssueFlags } from '../issues/source.ts';
import type { QueueFlags } from '../queue-options.ts';
import type { TrustOptions } from '../trust/trust-options.ts';

export interface PlanFromIssuesOptions
  extends CommonOptions,
    SaidAgent,
    IssueFlags,
    TrustOptions,
    QueueFlags {
  output?: string;
  maxQuestions: number;
  maxIterations: number;
  questionsOnly?: true;
  answersFile?: string;
  requireAnswers?: true;
  again?: true;
  updateIssues?: true;
  timeout: string;
}
