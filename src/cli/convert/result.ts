import type { Usage } from '../../agents/driver.ts';
import { redactor } from '../../ledger/redact/redact.ts';
import type { Issue } from '../../plan/audit/rule.ts';
import { type Attempt, failureLine } from '../../plan/convert/attempt.ts';
import type { Lost } from '../../plan/convert/fidelity/lost.ts';
import type { Converted } from '../../work/kinds/convert.ts';
import type { PlanOutcome } from '../../work/kinds/plan-answer.ts';
import { howToResume } from '../attempt-view.ts';

/** What `convert --format json` prints, for every outcome. */
export interface ConvertResult {
  success: boolean;
  iterations: number;
  output: string;
  files_created: string[];
  audit_passed: boolean;
  issues: Issue[];
  fidelity: Lost[];
  attempts: AttemptResult[];
  backup?: string;
  /** Where the best attempt is, if none passed. */
  kept?: string;
  error?: { code: string; message: string };
}

interface AttemptResult {
  iteration: number;
  passed: boolean;
  audit_passed: boolean;
  files: string[];
  issues: Issue[];
  duration_ms: number;
  tokens: { input: number; output: number; cache_read: number; cache_creation: number };
  cost_usd?: number;
  error?: { code: string; message: string };
}

/** The result as programs get it. */
export function convertResult(converted: Converted): ConvertResult {
  const { output, outcome: attempted, lost, lastAttemptMs } = converted;
  const attempts = attempted.attempts.map(attemptResult);
  const common = { output, fidelity: lost };
  switch (attempted.kind) {
    case 'passed': {
      const { files, issues, backup } = attempted;
      return {
        success: true,
        iterations: attempts.length,
        ...common,
        files_created: files,
        audit_passed: true,
        issues,
        attempts,
        ...(backup ? { backup } : {}),
      };
    }
    case 'failed': {
      const { best } = attempted;
      const error = {
        code: best.auditPassed ? 'fidelity_failed' : 'audit_failed',
        message: failureLine(attempted.attempts),
      };
      return { success: false, iterations: attempts.length, ...common, ...unfinished(best), attempts, error };
    }
    case 'stopped': {
      const { best, usage } = attempted;
      const error = errorOf(attempted, converted.result === 'interrupted');
      const all = [...attempts, cutAttempt(attempts.length + 1, lastAttemptMs, usage, error)];
      return {
        success: false,
        iterations: all.length,
        ...common,
        ...unfinished(best),
        attempts: all,
        error,
      };
    }
  }
}

function unfinished(best: Attempt | undefined) {
  const { auditPassed = false, issues = [], kept } = best ?? {};
  return { files_created: [], audit_passed: auditPassed, issues, ...(kept ? { kept } : {}) };
}

function attemptResult({
  number,
  passed,
  auditPassed,
  files,
  issues,
  durationMs,
  usage,
}: Attempt): AttemptResult {
  return {
    iteration: number,
    passed,
    audit_passed: auditPassed,
    files,
    issues,
    duration_ms: durationMs,
    ...tokensOf(usage),
  };
}

function errorOf(
  { reason, message, run }: Extract<PlanOutcome, { kind: 'stopped' }>,
  interrupted: boolean,
): { code: string; message: string } {
  const code = interrupted ? 'interrupted' : reason;
  const why = interrupted ? 'Interrupted. The output folder is unchanged.' : redactor(process.env)(message);
  return { code, message: `${why}${howToResume(run)}` };
}

function cutAttempt(
  iteration: number,
  durationMs: number,
  usage: Usage,
  error: { code: string; message: string },
): AttemptResult {
  return {
    iteration,
    passed: false,
    audit_passed: false,
    files: [],
    issues: [],
    duration_ms: durationMs,
    ...tokensOf(usage),
    error,
  };
}

function tokensOf(usage: Usage): Pick<AttemptResult, 'tokens' | 'cost_usd'> {
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens, costUsd } = usage;
  return {
    tokens: {
      input: inputTokens,
      output: outputTokens,
      cache_read: cacheReadTokens,
      cache_creation: cacheCreationTokens,
    },
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
  };
}
