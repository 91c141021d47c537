import type { HilConfig } from '../../schema/autonomy.ts';
import type { AskedCount, AutonomyProposal, Insights, InsightWeek } from '../../schema/insights.ts';
import type { Category } from '../../schema/question.ts';
import { levelOf, selectHilLevels, settingOf } from '../decisions/autonomy.ts';
import type { SqlRunner } from '../engine/store.ts';
import { iso } from '../engine/stored.ts';
import { selectProjects } from '../projects/project-sql.ts';
import {
  type Asked,
  type AskedRow,
  beginOfWeek,
  selectAskedCounts,
  selectIdle,
  selectRecommended,
  selectWaits,
  weekOf,
} from './insights-sql.ts';

/** A proposal needs at least this many cases. */
const MIN_CASES = 10;
/** Agents may go on alone if people nearly always agree with them, and should ask again if they are often corrected. */
const TAKEN_SHARE = 0.9;
const CORRECTED_SHARE = 0.3;

/** What the questions asked since then cost, and what they were worth. */
export async function readInsights(reader: SqlRunner, which: Asked, now: number): Promise<Insights> {
  const asked = numbered(await selectAskedCounts(reader, which));
  const waits = numbered(await selectWaits(reader, which));
  const idle = numbered(await selectIdle(reader, which, now));
  const recommended = numbered(await selectRecommended(reader, which));
  const sum = (of: (row: AskedRow) => number) => asked.reduce((total, row) => total + of(row), 0);
  const first = Math.min(weekOf(now), ...asked.map(({ week }) => week));
  const weeks = Array.from({ length: weekOf(now) - first + 1 }, (_, index): InsightWeek => {
    const isThis = ({ week }: { week: number }) => week === first + index;
    const waited = waits.find(isThis);
    return {
      begins: iso(beginOfWeek(first + index)),
      asked: byAsker(asked.filter(isThis)),
      answered: waited?.answered ?? 0,
      medianSeconds: seconds(waited?.median),
      p95Seconds: seconds(waited?.p95),
      idleSeconds: seconds(idle.find(isThis)?.idle),
    };
  });
  return {
    since: iso(which.since),
    until: iso(now),
    weeks,
    total: {
      asked: sum((row) => row.asked),
      open: sum((row) => row.open),
      answered: waits.reduce((total, { answered }) => total + answered, 0),
      medianSeconds: seconds(Math.max(0, ...waits.map((row) => row.median_of_all ?? 0))),
      p95Seconds: seconds(Math.max(0, ...waits.map((row) => row.p95_of_all ?? 0))),
      idleSeconds: seconds(idle.reduce((total, row) => total + row.idle, 0)),
    },
    recommendations: {
      of: recommended.reduce((total, { given }) => total + given, 0),
      count: recommended.reduce((total, { taken }) => total + taken, 0),
    },
    assumptions: { of: sum((row) => row.assumed), count: sum((row) => row.corrected) },
    repeats: { answered: sum((row) => row.standing), offered: sum((row) => row.offered) },
    proposals: await proposals(reader, [
      ...recommended.map(({ project_id, category, given, taken }) => ({
        ...{ projectId: project_id, category, of: given, count: taken },
        because: 'recommendation_taken' as const,
      })),
      ...asked.map(({ project_id, category, assumed, corrected }) => ({
        ...{ projectId: project_id, category, of: assumed, count: corrected },
        because: 'assumption_corrected' as const,
      })),
    ]),
  };
}

/** PostgreSQL returns sums as texts. */
function numbered<Row extends object>(rows: Row[]): Row[] {
  const texts = new Set(['project_id', 'kind', 'asker', 'category']);
  return rows.map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [
          key,
          value === null || texts.has(key) ? value : Number(value),
        ]),
      ) as Row,
  );
}

const seconds = (ms = 0) => Math.max(ms, 0) / 1000;

function byAsker(rows: AskedRow[]): AskedCount[] {
  const found = new Map<string, AskedCount>();
  for (const { kind, asker, asked } of rows) {
    const key = `${kind} ${asker}`;
    found.set(key, { kind, asker, count: (found.get(key)?.count ?? 0) + asked });
  }
  return [...found.values()].sort((a, b) => b.count - a.count || (a.asker < b.asker ? -1 : 1));
}

type Cases = Pick<AutonomyProposal, 'projectId' | 'because' | 'of' | 'count'> & { category: Category | null };

async function proposals(reader: SqlRunner, cases: Cases[]): Promise<AutonomyProposal[]> {
  const found = summed(cases).filter(suggests);
  if (found.length === 0) return [];
  const names = new Map((await selectProjects(reader)).map(({ id, name }) => [id, name]));
  const result: AutonomyProposal[] = [];
  for (const { category, ...each } of found) {
    const { value } = await selectHilLevels(reader, each.projectId);
    const level = category && betterLevel(category, each.because, value);
    if (category && level)
      result.push({
        ...{ ...each, category, level },
        projectName: names.get(each.projectId) ?? each.projectId,
        setting: settingOf[category],
      });
  }
  return result;
}

function summed(cases: Cases[]): Cases[] {
  const sums = new Map<string, Cases>();
  for (const each of cases) {
    const key = `${each.projectId} ${each.category} ${each.because}`;
    const { of = 0, count = 0 } = sums.get(key) ?? {};
    sums.set(key, { ...each, of: of + each.of, count: count + each.count });
  }
  return [...sums.values()];
}

const suggests = ({ because, of, count }: Cases): boolean =>
  of >= MIN_CASES && count >= of * (because === 'recommendation_taken' ? TAKEN_SHARE : CORRECTED_SHARE);

/** Undefined if the level is already so. */
function betterLevel(
  category: Category,
  because: AutonomyProposal['because'],
  config: HilConfig,
): AutonomyProposal['level'] | undefined {
  const isAsked = levelOf(category, config) === 'requires_approval';
  if (because === 'recommendation_taken') return isAsked ? 'notify_and_proceed' : undefined;
  return isAsked ? undefined : 'requires_approval';
}
