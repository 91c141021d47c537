import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Compilable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as credentials from '../../src/ledger/access/credential-register.ts';
import * as decisions from '../../src/ledger/decisions/decision-log.ts';
import { openSqlite } from '../../src/ledger/engine/sqlite.ts';
import type { Store, Tx } from '../../src/ledger/engine/store.ts';
import * as events from '../../src/ledger/events/event-log.ts';
import * as insights from '../../src/ledger/figures/insights-sql.ts';
import * as notices from '../../src/ledger/notices/notice-outbox.ts';
import * as notifications from '../../src/ledger/notifications/notification-sql.ts';
import * as requests from '../../src/ledger/notifications/request-sql.ts';
import * as runs from '../../src/ledger/runs/run-sql.ts';
import * as taskChat from '../../src/ledger/tasks/task-chat-sql.ts';
import * as dependencies from '../../src/ledger/tasks/task-dependency-sql.ts';
import * as tasks from '../../src/ledger/tasks/task-sql.ts';

/**
 * The index that each statement over many rows must use on SQLite, which has no statistics. Small tests do not
 * notice a wrong index, but it makes a ledger of a million rows slow.
 */
const plans: [what: string, run: (tx: Tx) => Promise<unknown>, plan: string[]][] = [
  [
    'ATT-11 how long people took to answer in one project',
    (tx) => insights.selectAskedCounts(tx, { since: 1, projectId: 'p' }),
    [
      'SEARCH open_questions USING COVERING INDEX open_questions_figures (created_at>?)',
      'USE TEMP B-TREE FOR GROUP BY',
    ],
  ],
  [
    'LED-8 ready()',
    (tx) => tasks.selectReady(tx, 'p', { limit: 100 }),
    ['SEARCH tasks USING INDEX tasks_ready (project_id=?)'],
  ],
  [
    'LED-8 tasks whose lease has run out',
    (tx) => tasks.selectLapsed(tx, 'p', { now: 1, limit: 100 }),
    [
      'SEARCH tasks USING INDEX tasks_leased (project_id=? AND lease_until<?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ],
  ],
  [
    'LED-7 a page of the chat of a task',
    (tx) => taskChat.selectChat(tx, 'p', 't', { after: 5, limit: 100 }),
    ['SEARCH task_chat USING INDEX task_chat_by_task (project_id=? AND task_id=? AND id>?)'],
  ],
  [
    'MSG-1 what an agent has not been told yet',
    (tx) => taskChat.selectUnread(tx, 'p', 't', 'queued', 5),
    [
      'SEARCH task_chat USING INDEX task_chat_by_delivery (project_id=? AND task_id=? AND delivery=? AND id>?)',
    ],
  ],
  [
    'MSG-1 what its model has gone on with',
    (tx) => taskChat.updateDelivered(tx, 't'),
    [
      'SEARCH task_chat USING COVERING INDEX task_chat_by_delivery (project_id=? AND task_id=? AND delivery=?)',
    ],
  ],
  [
    'LED-8 what a closed task releases',
    (tx) => dependencies.addToUnfinished(tx, 't', -1),
    [
      'SEARCH tasks USING COVERING INDEX sqlite_autoindex_tasks_1 (project_id=? AND id=?)',
      'LIST SUBQUERY 1',
      'SEARCH task_dependencies USING COVERING INDEX task_dependents (project_id=? AND depends_on=?)',
    ],
  ],
  [
    'LED-8 whether anything waits for a task',
    (tx) => dependencies.hasDependents(tx, 't'),
    ['SEARCH task_dependencies USING COVERING INDEX task_dependents (project_id=? AND depends_on=?)'],
  ],
  [
    'LED-8 tasks that somebody holds',
    (tx) => tasks.selectHeld(tx),
    ['SEARCH tasks USING INDEX tasks_leased (project_id=?)'],
  ],
  [
    'LED-7 a task by its id',
    (tx) => tasks.selectTask(tx, 'p', 't'),
    ['SEARCH tasks USING INDEX sqlite_autoindex_tasks_1 (project_id=? AND id=?)'],
  ],
  [
    'LED-7 LED-13 the open questions of a task',
    (tx) => notifications.selectOpenForTask(tx, 't'),
    ['SEARCH open_questions USING INDEX open_questions_holding (project_id=? AND task_id=?)'],
  ],
  [
    'how many questions an asker has open (BIND-15)',
    (tx) => notifications.countOpenOf(tx, 'by', 100),
    [
      'CO-ROUTINE counted',
      'SEARCH open_questions USING COVERING INDEX open_questions_by_asker (project_id=? AND created_by=?)',
      'SCAN counted',
    ],
  ],
  [
    'LED-4 a question by its id',
    (tx) => notifications.selectNotification(tx, 'p', 'n'),
    ['SEARCH open_questions USING INDEX sqlite_autoindex_open_questions_1 (id=?)'],
  ],
  [
    'LED-1 the same request that is open',
    (tx) => requests.selectOpenRequest(tx, 'k'),
    ['SEARCH open_questions USING INDEX open_questions_asked_once (project_id=? AND request_key=?)'],
  ],
  [
    'LED-5 what an asker never got the answer to',
    (tx) => requests.selectUndeliveredRequest(tx, { source: 'execute', source_id: 't', request_key: 'k' }),
    [
      'SEARCH open_questions USING INDEX open_questions_by_source (project_id=? AND source=? AND source_id=?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ],
  ],
  [
    'LED-3 a page of open questions of one project',
    (tx) => notifications.selectPage(tx, { projectId: 'p', status: ['open'], limit: 100 }),
    ['SEARCH open_questions USING INDEX open_questions_by_project (project_id=? AND status=?)'],
  ],
  [
    'LED-3 a later page of all open questions',
    (tx) =>
      notifications.selectPage(tx, {
        status: ['open'],
        after: { overflow: false, at: 1, id: 'n' },
        limit: 100,
      }),
    [
      'SEARCH open_questions USING INDEX open_questions_by_status (status=? AND (overflow,created_at,id)>(?,?,?))',
    ],
  ],
  [
    'LED-3 deadlines that have passed',
    (tx) => notifications.selectDue(tx, 1, 100),
    ['SEARCH open_questions USING INDEX open_questions_due (status=? AND deadline_at>? AND deadline_at<?)'],
  ],
  [
    'LED-6 everything that one asker asked',
    (tx) => requests.selectAsked(tx, 'p', 'execute', 't1'),
    [
      'SEARCH open_questions USING INDEX open_questions_by_source (project_id=? AND source=? AND source_id=?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ],
  ],
  [
    'LED-6 what one asker was answered and never received',
    (tx) => requests.selectUndelivered(tx, 'p', 'execute', 't1'),
    [
      'SEARCH open_questions USING INDEX open_questions_by_source (project_id=? AND source=? AND source_id=?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ],
  ],
  [
    'LED-5 the runs for one asker',
    (tx) => runs.selectRunsOf(tx, 'p', 'execute', 't1'),
    ['SEARCH runs USING INDEX runs_by_asker (project_id=? AND source=? AND source_id=?)'],
  ],
  [
    'LED-5 the runs for one task',
    (tx) => runs.selectRunsOfTask(tx, 'p', 't1'),
    ['SEARCH runs USING INDEX runs_by_task (project_id=? AND task_id=?)'],
  ],
  [
    'LED-5 the runs that have not ended',
    (tx) => runs.selectUnfinishedRuns(tx, 'p'),
    ['SEARCH runs USING INDEX runs_unfinished (project_id=?)'],
  ],
  [
    'LED-5 what a run asked',
    (tx) => runs.selectRunQuestions(tx, 'p', 'r'),
    [
      'SEARCH open_questions USING INDEX open_questions_by_run (project_id=? AND run_id=?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ],
  ],
  [
    'LED-11 the events after a number',
    (tx) => events.selectEvents(tx, 'p', 0, 100),
    ['SEARCH events USING INDEX sqlite_autoindex_events_1 (project_id=? AND number>?)'],
  ],
  [
    'LED-11 the events of a run',
    (tx) => events.selectRunEvents(tx, 'p', 'r', { after: 0, limit: 100 }),
    ['SEARCH events USING INDEX events_by_run (project_id=? AND run_id=? AND number>?)'],
  ],
  [
    'CHAN-3 the next deadline',
    (tx) => notifications.selectNextDeadline(tx),
    ['SEARCH open_questions USING COVERING INDEX open_questions_due (status=? AND deadline_at>?)'],
  ],
  [
    'CHAN-4 the notices that are due',
    (tx) => notices.selectDueNotices(tx, 'webhook', 1, 10),
    [
      'CO-ROUTINE due',
      'CO-ROUTINE (subquery-3)',
      'SEARCH notices USING INDEX notices_due (sink=? AND due_at>? AND due_at<?)',
      'USE TEMP B-TREE FOR ORDER BY',
      'SCAN (subquery-3)',
      'SCAN due',
      'USE TEMP B-TREE FOR ORDER BY',
    ],
  ],
  [
    'HUB-3 a credential by its secret',
    (tx) => credentials.selectCredential(tx, 'h'),
    ['SEARCH credentials USING INDEX sqlite_autoindex_credentials_1 (hash=?)'],
  ],
  [
    'BIND-3 what an earlier life of an agent was answered',
    (tx) =>
      requests.selectReplay(tx, {
        source: 'execute',
        source_id: 't',
        asked_key: 'k',
        life: 'l',
        run_id: 'r',
      }),
    [
      'SEARCH open_questions USING INDEX open_questions_by_life (project_id=? AND source=? AND source_id=? AND asked_key=?)',
      'CORRELATED SCALAR SUBQUERY 1',
      'SEARCH mine USING INDEX sqlite_autoindex_runs_1 (id=?)',
      'SEARCH other USING INDEX sqlite_autoindex_runs_1 (id=?)',
      'USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
    ],
  ],
  [
    'BIND-3 the answers of a task that is done',
    (tx) => requests.forgetLivesOfTask(tx, 't'),
    [
      'SEARCH open_questions USING INDEX open_questions_by_source (project_id=? AND source=? AND source_id=?)',
      'SEARCH open_questions USING INDEX open_questions_by_run (project_id=? AND run_id=?)',
      'LIST SUBQUERY 1',
      'SEARCH runs USING COVERING INDEX runs_by_task (project_id=? AND task_id=?)',
    ],
  ],
  [
    'BIND-5 the decision that an amended answer replaces',
    (tx) => decisions.replaceDecisions(tx, { id: 'd', notification_id: 'n', question_key: 'k' }),
    ['SEARCH decisions USING INDEX decisions_by_notification (project_id=? AND notification_id=?)'],
  ],
  [
    'LED-12 the newest decision on a question',
    (tx) => decisions.selectDecisionFor(tx, 'p', 'k'),
    ['SEARCH decisions USING INDEX decisions_by_question (project_id=? AND question_key=?)'],
  ],
  [
    'LED-12 a decision by its id',
    (tx) => decisions.selectDecisionsNamed(tx, 'd'),
    ['SEARCH decisions USING INDEX sqlite_autoindex_decisions_1 (id>? AND id<?)'],
  ],
  [
    'LED-12 a later page of decisions',
    (tx) => decisions.selectDecisions(tx, 'p', { after: { at: 1, id: 'd' }, limit: 100, history: true }),
    ['SEARCH decisions USING INDEX decisions_in_order (project_id=? AND (at,id)<(?,?))'],
  ],
];

describe('the index of each statement', () => {
  let dir: string;
  let store: Store;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'fermata-plans-'));
    store = await openSqlite(join(dir, 'ledger.db'));
  });
  afterAll(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it.each(plans)('%s', async (_, run, plan) => {
    const explained: string[] = [];
    const explain = async (text: string, parameters: readonly unknown[]) => {
      const rows = await store.reader.sql<{ detail: string }>(`explain query plan ${text}`, ...parameters);
      explained.push(...rows.map(({ detail }) => detail));
      return [];
    };
    const tx: Tx = {
      ...store.reader,
      projectId: 'p',
      now: 1,
      emit: () => undefined,
      tasksChanged: () => undefined,
      sql: (text, ...parameters) => explain(text, parameters),
      run: (query: Compilable<unknown>) => {
        const { sql, parameters } = query.compile();
        return explain(sql, parameters);
      },
    };
    await run(tx);
    expect(explained).toEqual(plan);
  });
});
