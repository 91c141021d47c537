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
  text(gauges: { sockets: number; openNotifications: number }): string {
    return [
      ...metric('fermata_http_requests_total', 'counter', 'Requests answered.', [...this.#requests]),
      ...metric('fermata_http_request_seconds_sum', 'counter', 'Time spent on requests.', [
        ['', this.#seconds],
      ]),
      ...metric('fermata_http_request_seconds_count', 'counter', 'The number of requests.', [
        ['', this.#count],
      ]),
      ...metric('fermata_sockets', 'gauge', 'Open sockets.', [['', gauges.sockets]]),
      ...metric('fermata_open_notifications', 'gauge', 'Questions that are waiting for a person.', [
        ['', gauges.openNotifications],
      ]),
      ...metric('process_resident_memory_bytes', 'gauge', 'Memory in use.', [
        ['', process.memoryUsage.rss()],
      ]),
      ...metric('process_uptime_seconds', 'gauge', 'Time since the start.', [['', process.uptime()]]),
      '',
    ].join('\n');
  }
}

function metric(
  name: string,
  type: string,
  help: string,
  values: [labels: string, value: number][],
): string[] {
  const lines = values.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}
