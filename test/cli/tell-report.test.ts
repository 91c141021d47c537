import { expect, it, onTestFinished, vi } from 'vitest';
import { tellReport } from '../../src/cli/tell-report.ts';

it.each([
  ['taken', /^shop\/1: another process or a person has taken it over/],
  ['silent', /^shop\/1: this process was suspended or could not reach the ledger for too long/],
] as const)('TEAM-2 a worker says when it loses a task (%s)', (why, line) => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => said.mockRestore());
  tellReport({ kind: 'phase_lost', task: 'shop/1', phase: 'shop/1', why });
  expect(said.mock.calls.map(([text]) => text).join('')).toMatch(line);
});
