import type { Ledger } from '../../ledger/ledger.ts';
import type { Event } from '../../schema/event.ts';
import type { Run } from '../../schema/run.ts';
import { type Spent, spentIn } from '../../schema/run-usage.ts';

export type RunEvent = Extract<Event, { type: 'run.event' }>;

const PAGE = 500;

/** What happened in a run after an event, page by page. */
export async function* runEvents(
  { events }: Ledger,
  { projectId, id }: Pick<Run, 'projectId' | 'id'>,
  after = 0,
): AsyncGenerator<RunEvent> {
  for (let from = after; ; ) {
    const page = await events.ofRun(projectId, id, from, PAGE);
    for (const event of page) if (event.type === 'run.event') yield event;
    if (page.length < PAGE) return;
    from = page.at(-1)?.number ?? from;
  }
}

/** What a run used, and the tool that its agent used last. */
export async function workIn(ledger: Ledger, run: Run): Promise<{ spent: Spent; tool: string | undefined }> {
  const changes: RunEvent['data'][] = [];
  let tool: string | undefined;
  for await (const { data } of runEvents(ledger, run)) {
    if (data.kind === 'tool') tool = data.tool;
    if (data.kind === 'usage' || data.kind === 'session' || data.kind === 'take') changes.push(data);
  }
  return { spent: spentIn(changes), tool };
}
