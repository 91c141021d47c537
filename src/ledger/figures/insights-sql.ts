import type { NotificationKind } from '../../schema/notification.ts';
import type { Category } from '../../schema/question.ts';
import type { SqlRunner } from '../engine/store.ts';

/** The questions asked since a moment, in all projects or in one. */
export interface Asked {
  since: number;
  projectId?: string;
}

const WEEK_MS = 604_800_000;
/** 1970 began on a Thursday, and weeks begin on Monday. */
const MONDAY_MS = 259_200_000;
const week = `(created_at + ${MONDAY_MS}) / ${WEEK_MS}`;

export const weekOf = (at: number): number => Math.floor((at + MONDAY_MS) / WEEK_MS);
export const beginOfWeek = (number: number): number => number * WEEK_MS - MONDAY_MS;

/**
 * SQLite finds these in one index, without reading the questions. An expression for the project keeps it from an index
 * that begins with the project.
 */
const asked = ({ projectId }: Asked) =>
  `open_questions where kind <> 'notice' and created_at >= ? ${projectId === undefined ? '' : "and project_id || '' = ?"}`;
const parametersOf = ({ projectId, since }: Asked) => [
  since,
  ...(projectId === undefined ? [] : [projectId]),
];

export interface AskedRow {
  project_id: string;
  week: number;
  kind: NotificationKind;
  asker: string;
  category: Category | null;
  asked: number;
  open: number;
  assumed: number;
  corrected: number;
  standing: number;
  offered: number;
}

/** How many were asked by whom, and what became of them. */
export function selectAskedCounts(runner: SqlRunner, which: Asked): Promise<AskedRow[]> {
  return runner.sql<AskedRow>(
    `select project_id, ${week} as week, kind, asker, category, count(*) as asked,
       sum(case when settled is null then 1 else 0 end) as open,
       sum(case when settled in ('assumed', 'corrected') then 1 else 0 end) as assumed,
       sum(case when settled = 'corrected' then 1 else 0 end) as corrected,
       sum(case when settled = 'standing' then 1 else 0 end) as standing,
       sum(offered) as offered
     from ${asked(which)} group by 1, 2, 3, 4, 5`,
    ...parametersOf(which),
  );
}

export interface WaitRow {
  week: number;
  answered: number;
  median: number;
  p95: number;
  /** Only in the week of the question in the middle of all. */
  median_of_all: number | null;
  p95_of_all: number | null;
}

/** How long people took to answer, in milliseconds. */
export function selectWaits(runner: SqlRunner, which: Asked): Promise<WaitRow[]> {
  return runner.sql<WaitRow>(
    `select week, max(total) as answered, max(case when place = (total + 1) / 2 then waited end) as median,
       max(case when place = (19 * total + 19) / 20 then waited end) as p95,
       max(case when place_of_all = (total_of_all + 1) / 2 then waited end) as median_of_all,
       max(case when place_of_all = (19 * total_of_all + 19) / 20 then waited end) as p95_of_all
     from (
       select week, waited, row_number() over (partition by week order by waited) as place,
         count(*) over (partition by week) as total,
         row_number() over (order by waited) as place_of_all, count(*) over () as total_of_all
       from (
         select ${week} as week, settled_at - created_at as waited from ${asked(which)} and settled = 'person'
       ) as waits
     ) as ranked group by week order by week`,
    ...parametersOf(which),
  );
}

/** How long tasks, or agents without a task, waited for a person, in milliseconds; overlapping waits count once. */
export function selectIdle(
  runner: SqlRunner,
  which: Asked,
  now: number,
): Promise<{ week: number; idle: number }[]> {
  return runner.sql<{ week: number; idle: number }>(
    `select week, sum(case when ends <= busy_until then 0 when begins < busy_until then ends - busy_until
       else ends - begins end) as idle
     from (
       select week, begins, ends, max(ends) over (partition by project_id, holder order by begins, ends
         rows between unbounded preceding and 1 preceding) as busy_until
       from (
         select ${week} as week, project_id, coalesce(task_id, run_id) as holder, created_at as begins,
           coalesce(settled_at, ?) as ends
         from ${asked(which)} and coalesce(task_id, run_id) is not null
       ) as held
     ) as spans group by week order by week`,
    now,
    ...parametersOf(which),
  );
}

export interface RecommendedRow {
  project_id: string;
  category: Category | null;
  given: number;
  taken: number;
}

/** Answers of people to questions that came with a recommendation, by project to use the index. */
export function selectRecommended(runner: SqlRunner, { projectId, since }: Asked): Promise<RecommendedRow[]> {
  return runner.sql<RecommendedRow>(
    `select p.id as project_id, d.category, count(*) as given, sum(d.as_recommended) as taken
     from projects p join decisions d on d.project_id = p.id
     where ${projectId === undefined ? '' : 'p.id = ? and'} d.at >= ? and d.as_recommended is not null
     group by p.id, d.category`,
    ...(projectId === undefined ? [since] : [projectId, since]),
  );
}
