import type { AgentOptions } from '../agents/choose.ts';
import type { CommonOptions } from '../command.ts';
import type { IssueSource } from '../issues/source.ts';

export interface PlanFromIssuesOptions extends CommonOptions, AgentOptions, IssueSource {
  output?: string;
  maxQuestions: number;
  questionsOnly?: true;
  answersFile?: string;
  requireAnswers?: true;
  again?: true;
  updateIssues?: true;
  timeout: string;
}
