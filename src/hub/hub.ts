import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { ownProgram } from '../agents/process/program.ts';
import type { NoticeSink } from '../channels/notices/sink.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { FermataError } from '../schema/error.ts';
import { deadlineJob } from '../work/jobs/deadlines.ts';
import { type Job, startJobs } from '../work/jobs/jobs.ts';
import { hubListener } from './app.ts';
import { allowedHosts } from './auth/allowed-hosts.ts';
import { ownSecret } from './auth/secret-file.ts';
import { refuseClient } from './http/client-error.ts';
import { type NoticeParts, noticeJob } from './jobs/notices.ts';
import { readLinkKey, signLink } from './links/answer-link.ts';
import { OpenCalls } from './mcp/open-calls.ts';
import { Metrics } from './metrics.ts';
import { loginCode } from './session.ts';
import { socketServer } from './sockets/socket-server.ts';
import { HubWork, type RunEnvironment } from './work.ts';

export interface HubOptions {
  ledger: Ledger;
  /** Default: this machine only. */
  host?: string;
  /** 0 picks any free port. */
  port: number;
  /** Where the token and the hub's key are kept. */
  home: string;
  /** The key that all hubs of a team share, instead of the one in `home`. */
  key?: string;
  /** The name under which the hub's own token acts. */
  owner: string;
  /** The folder of the built page; default: that of this installation. */
  web?: string;
  publicUrl?: URL;
  /** Called with internal errors. */
  report(error: unknown): void;
  limits?: Partial<typeof hubLimits>;
  /** How agents of plans reach the ledger; without it, this hub does not run plans. */
  plans?: RunEnvironment;
  /** Where notices are sent. */
  sinks?: NoticeSink[];
}

export interface Hub {
  url: string;
  token: string;
  /** A link that logs a browser in, once. */
  loginLink(): Promise<string>;
  /** Notifies the sockets and finishes open requests. */
  stop(): Promise<void>;
}

const hubLimits = {
  /** Each needs about 25 kB of memory. */
  sockets: 10_000,
  socketsPerToken: 6000,
  /** MCP requests that wait for a person at the same time. */
  mcpCalls: 5000,
  mcpCallsPerToken: 1000,
  /** How long the headers, and the whole request, may take to arrive. */
  headersMs: 10_000,
  requestMs: 30_000,
  /** A request fails if the store has not answered after this time. */
  storeMs: 2000,
  /** An idle connection is closed after this time, because the client does not read the response. */
  idleMs: 60_000,
  /** How long a stop waits for open requests. */
  stopMs: 10_000,
};

/** Starts the hub on an open ledger. */
export async function startHub(options: HubOptions): Promise<Hub> {
  const { ledger, host = '127.0.0.1', owner, report, publicUrl, sinks = [] } = options;
  const { web = builtPage() } = options;
  const limits = { ...hubLimits, ...options.limits };
  const token = ownSecret(options.home, 'token');
  const quick = ledger.within(limits.storeMs);
  const auth = { credentials: quick.credentials, token, owner, cookieName: 'fermata' };
  const allowed = allowedHosts(host, publicUrl);
  const linkKey = readLinkKey(options.home, options.key);
  for (const { name } of sinks) await ledger.notices.addSink(name);
  let sockets: ReturnType<typeof socketServer> | undefined;
  const mcpCalls = new OpenCalls(limits);
  const work = new HubWork({ ledger, environment: options.plans, home: options.home, owner, report });
  const listener = hubListener({
    ...{ auth, allowed, web, report, mcpCalls, work },
    ledger: quick,
    patientLedger: ledger,
    linkKey,
    metrics: new Metrics(),
    sockets: () => sockets?.count() ?? 0,
  });
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.headersMs / 2,
    },
    listener,
  );
  server.setTimeout(limits.idleMs);
  server.on('clientError', refuseClient);
  const port = await listen(server, host, options.port);
  auth.cookieName = `fermata-${port}`; // cookies of one host are shared by all its ports
  sockets = socketServer(server, {
    ...{ ledger: quick, patientLedger: ledger, auth, allowed, report },
    maxSockets: limits.sockets,
    maxPerToken: limits.socketsPerToken,
  });
  const url = `http://${addressOf(host)}:${port}`;
  const base = publicUrl?.origin ?? url;
  const linkTo: NoticeParts['linkTo'] = (notification, question, sink) =>
    `${base}/a/${signLink(linkKey, notification, question, sink, Date.now())}`;
  const notices = sinks.map((sink) => noticeJob({ ledger, sink, linkTo, report }));
  const open = sockets;
  const endRevoked = () => Promise.all([open.endRevoked(), mcpCalls.endRevoked(ledger.credentials)]);
  const jobs = startJobs(ledger, [deadlineJob(ledger), revocationJob(endRevoked), ...notices], report);
  await work.resume();
  const stop = async () => {
    sockets?.stop();
    mcpCalls.stop();
    await Promise.all([work.stop(), close(server, limits.stopMs), jobs.stop()]);
  };
  let stopped: Promise<void> | undefined;
  return {
    url,
    token,
    loginLink: async () => `${base}/#login=${await loginCode({ ledger, auth })}`,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** The page of this installation. */
const builtPage = () => join(dirname(ownProgram('fermata.cjs')), '../dist/web');

/** The host as written in a URL; for "all addresses", the one that always works on this machine. */
function addressOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Closes each keep-alive connection once its current request is done. */
async function close(server: Server, stopMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const end = setTimeout(() => server.closeAllConnections(), stopMs);
  await closed.finally(() => {
    clearInterval(sweep);
    clearTimeout(end);
  });
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, host, port);
  }
  return (server.address() as AddressInfo).port;
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new FermataError(
        'busy',
        `Port ${port} is in use, maybe by another hub. Choose another with --port (0 picks a free one).`,
      );
    case 'EACCES':
      return new FermataError(
        'forbidden',
        `You do not have permission to listen on port ${port}. Choose one above 1023 with --port.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new FermataError(
        'invalid',
        `"${host}" is not an address of this machine. Leave out --host, or use 0.0.0.0.`,
      );
    default:
      return error;
  }
}

/** A session also expires by time, which causes no event. */
const CHECK_MS = 30_000;

/** Ends open connections of a token that was revoked, here or on another hub, and of an expired session. */
function revocationJob(endRevoked: () => Promise<unknown>): Job {
  return {
    async turn() {
      await endRevoked();
      return Date.now() + CHECK_MS;
    },
  };
}
