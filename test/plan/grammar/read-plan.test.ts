import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { setStatus, writeEdits } from '../../../src/plan/grammar/edit-plan.ts';
import { readPlan } from '../../../src/plan/grammar/read-plan.ts';
import { good, master, problemsOf, row } from './plans.ts';

function folderWith(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-plan-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const read = (files: Record<string, string | Buffer>) => readPlan(folderWith(files)).plan;

describe('AUD-1 reading a plan from its folder', () => {
  it('takes the folder, or a master file of any name', () => {
    const folder = folderWith({
      'MASTER_PLAN.md': master(row(1)),
      'OTHER.md': master(row(2)),
      'phase-1.md': good,
    });
    expect(readPlan(folder).plan.phases).toMatchObject([{ id: '1', file: { title: 'One' } }]);
    expect(readPlan(join(folder, 'OTHER.md')).plan.phases).toMatchObject([{ id: '2' }]);
  });

  it('finds no master in a folder without one, or without a folder', () => {
    expect(problemsOf(read({ 'x.md': '' }))).toEqual(['MASTER_NOT_FOUND MASTER_PLAN.md:1']);
    expect(problemsOf(readPlan('/nowhere/at/all').plan)).toEqual(['MASTER_NOT_FOUND MASTER_PLAN.md:1']);
  });

  it('refuses two masters, a master that is a folder, and one that is not UTF-8', () => {
    const two = read({ 'MASTER_PLAN.md': master(), 'Master_Plan.md': master() });
    expect(two.problems).toMatchObject([
      { code: 'MASTER_PARSE_ERROR', message: expect.stringContaining('2 master files') },
    ]);
    expect(problemsOf(read({ 'MASTER_PLAN.md/x': '' }))).toEqual(['MASTER_PARSE_ERROR MASTER_PLAN.md:1']);
    expect(problemsOf(read({ 'MASTER_PLAN.md': Buffer.from([0xff, 0xfe, 0]) }))).toEqual([
      'MASTER_PARSE_ERROR MASTER_PLAN.md:1',
    ]);
  });

  it('reports a phase file that is missing, a folder, or not UTF-8', () => {
    const plan = read({
      'MASTER_PLAN.md': master(row(1), row(2), row(3), row(4)),
      'phase-2.md/x': '',
      'phase-3.md': Buffer.from([0xff, 0xfe, 0]),
      'phase-4.md': good,
    });
    expect(plan.problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'PHASE_NOT_FOUND The file of phase 1 is missing: phase-1.md.',
      'PHASE_PARSE_ERROR Cannot read the file of phase 2: phase-2.md is a folder.',
      'PHASE_PARSE_ERROR Cannot read the file of phase 3: phase-3.md is not UTF-8 text.',
    ]);
  });

  it('reports a phase file that is too large', () => {
    const folder = folderWith({ 'MASTER_PLAN.md': master(row(1)), 'phase-1.md': '# Phase 1: x' });
    truncateSync(join(folder, 'phase-1.md'), 32 * 1024 * 1024 + 1);
    const { plan } = readPlan(folder);
    expect(problemsOf(plan)).toEqual(['PHASE_PARSE_ERROR phase-1.md:1']);
    expect(plan.problems[0]?.message).toMatch(/at most \d+ are allowed/);
  });

  it('follows links inside the folder, but none that points outside', () => {
    const outside = folderWith({ 'secret.md': good });
    const folder = folderWith({
      'MASTER_PLAN.md': master(row(1), row(2), row(3, 'sub/secret.md')),
      'real.md': good,
    });
    symlinkSync('real.md', join(folder, 'phase-1.md'));
    symlinkSync(join(outside, 'secret.md'), join(folder, 'phase-2.md'));
    symlinkSync(outside, join(folder, 'sub'));
    const { plan } = readPlan(folder);
    expect(plan.phases.map(({ file }) => file?.title)).toEqual(['One', undefined, undefined]);
    expect(problemsOf(plan)).toEqual([
      'PATH_OUTSIDE_PLAN MASTER_PLAN.md:8',
      'PATH_OUTSIDE_PLAN MASTER_PLAN.md:9',
    ]);
    expect([...plan.files.keys()]).not.toContain('secret.md');
  });

  it('treats a broken link as a missing file', () => {
    const folder = folderWith({ 'MASTER_PLAN.md': master(row(1)) });
    symlinkSync('gone.md', join(folder, 'phase-1.md'));
    expect(problemsOf(readPlan(folder).plan)).toEqual(['PHASE_NOT_FOUND MASTER_PLAN.md:7']);
  });
});

describe('PLAN-4 writing changes', () => {
  it('changes the files, and leaves one alone that somebody changed in the meantime', () => {
    const folder = folderWith({ 'MASTER_PLAN.md': master(row(1)), 'phase-1.md': good });
    const { plan } = readPlan(folder);
    writeEdits(folder, plan, setStatus(plan, '1', 'completed'));
    expect(readPlan(folder).plan.phases).toMatchObject([{ status: 'completed' }]);
    expect(() => writeEdits(folder, plan, setStatus(plan, '1', 'failed'))).toThrow(/changed in the meantime/);
    expect(readFileSync(join(folder, 'phase-1.md'), 'utf8')).toContain('**Status:** Completed');
  });
});
