import type { Figures } from '../ledger/figures/figures.ts';

/** What the hub counts about itself, for Prometheus. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  #seconds = 0;
  #count = 0;

  counted(method: string, status: number, seconds: number): void {
    const labels = `method="${method}",status="${status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    this.#seconds += seconds;
    this.#count += 1;
  }

  /** In Prometheus' text format. */
  text(sockets: number, figures: Figures): string {
    const { answerWait, leases, agents, workers } = figures;
    return [
      ...metric('fermata_http_requests_total', 'counter', 'Requests answered.', [...this.#requests]),
      ...metric('fermata_http_request_seconds_sum', 'counter', 'Time spent on requests.', [
        ['', this.#seconds],
      ]),
      ...metric('fermata_http_request_seconds_count', 'counter', 'The number of requests.', [
        ['', this.#count],
      ]),
      ...metric('fermata_sockets', 'gauge', 'Open sockets.', [['', sockets]]),
      ...metric('fermata_open_notifications', 'gauge', 'Questions that are waiting for a person.', [
        ['', figures.openNotifications],
      ]),
      ...metric('fermata_oldest_open_seconds', 'gauge', 'How long the oldest open question has waited.', [
        ['', figures.oldestOpenSeconds],
      ]),
      ...metric('fermata_answer_wait_seconds', 'summary', 'Time to answer, for questions of the last day.', [
        ['quantile="0.5"', answerWait.p50],
        ['quantile="0.95"', answerWait.p95],
      ]),
      `fermata_answer_wait_seconds_sum ${answerWait.sum}`,
      `fermata_answer_wait_seconds_count ${answerWait.count}`,
      ...metric('fermata_ready_tasks', 'gauge', 'Tasks that could start now.', [['', figures.readyTasks]]),
      ...metric('fermata_leases', 'gauge', 'Tasks that are being worked on, by state of their lease.', [
        ['state="held"', leases.held],
        ['state="expired"', leases.expired],
      ]),
      ...metric(
        'fermata_agents',
        'gauge',
        'Agents that have not ended.',
        agents.map(({ agent, status, count }) => [
          `agent="${escaped(agent)}",status="${escaped(status)}"`,
          count,
        ]),
      ),
      ...metric(
        'fermata_workers',
        'gauge',
        'Running workers, by ability.',
        workers.map(({ ability, count }) => [`ability="${escaped(ability)}"`, count]),
      ),
      ...metric('fermata_queued_tasks', 'gauge', 'Tasks that wait for a worker.', [
        ['', figures.queuedTasks],
      ]),
      ...metric('fermata_rejected_pushes', 'gauge', 'Tasks that stopped because a push was refused.', [
        ['', figures.rejectedPushes],
      ]),
      ...metric('fermata_dead_jobs', 'gauge', 'Jobs that failed permanently.', [['', figures.deadJobs]]),
      ...metric('process_resident_memory_bytes', 'gauge', 'Memory in use.', [
        ['', process.memoryUsage.rss()],
      ]),
      ...metric('process_uptime_seconds', 'gauge', 'Uptime of the hub.', [['', process.uptime()]]),
      '',
    ].join('\n');
  }
}

/** A label's value, escaped for Prometheus. */
const escaped = (text: string) => text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));

function metric(
  name: string,
  type: string,
  help: string,
  values: [labels: string, value: number][],
): string[] {
  const lines = values.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}
