import type { Usage } from '../../agents/driver.ts';
import type { Issue } from '../../planning/audit/issue.ts';
import type { Attempt, Attempted } from '../../planning/convert/attempt-plan.ts';
import type { Lost } from '../../planning/convert/fidelity/lost.ts';
import { failureLine } from '../attempt-view.ts';

/** Why there is no answer of an agent. */
export interface NoAnswer {
  code: string;
  message: string;
  durationMs: number;
  usage: Usage;
}

/** What `convert --format json` prints, whatever came of it. */
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
  /** Where the best attempt is, when none passed. */
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

/** The result as programs get it. `lost` is what the last plan lost of its source. */
export function convertResult(output: string, attempted: Attempted<NoAnswer>, lost: Lost[]): ConvertResult {
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
      const { stopped, best } = attempted;
      const { code, message } = stopped;
      const all = [...attempts, stoppedAttempt(attempts.length + 1, stopped)];
      return {
        success: false,
        iterations: all.length,
        ...common,
        ...unfinished(best),
        attempts: all,
        error: { code, message },
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

function stoppedAttempt(iteration: number, { code, message, durationMs, usage }: NoAnswer): AttemptResult {
  return {
    iteration,
    passed: false,
    audit_passed: false,
    files: [],
    issues: [],
    duration_ms: durationMs,
    ...tokensOf(usage),
    error: { code, message },
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
