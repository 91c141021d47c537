import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Ledger } from '../../ledger/ledger.ts';
import { FermataError } from '../../schema/error.ts';
import { type AllowedHosts, checkHost, checkOrigin } from '../auth/allowed-hosts.ts';
import { type AuthConfig, authenticate, toCaller } from '../auth/authenticate.ts';
import { type Caller, requirePerson, requireProject, revokedAmong } from '../auth/caller.ts';
import { closingResponse, serveWithoutUpgrade } from '../http/client-error.ts';
import { targetOf } from '../http/context.ts';
import { httpError, isInside } from '../http-error.ts';
import { EventFeed } from './event-feed.ts';
import { closeCodes, LAST_WORDS_MS, SocketClient } from './socket-client.ts';
import { type Wanted, wantedEvents } from './wanted.ts';

export interface SocketParts {
  /** For requests: calls fail soon while the store is unavailable. */
  ledger: Ledger;
  /** For open sockets. */
  patientLedger: Ledger;
  auth: AuthConfig;
  allowed: AllowedHosts;
  report(error: unknown): void;
  /** The most sockets, for all clients together. */
  maxSockets: number;
  /** The most with one token or session, so that there is always room for others. */
  maxPerToken: number;
}

interface Entry {
  client: SocketClient;
  caller: Caller;
  /** Whether it has responded since the last ping. */
  alive: boolean;
}

/** How often a socket must show that its client is alive. */
const CHECK_MS = 30_000;

/** The sockets of a hub: who may open one, and what is sent through it. */
export function socketServer(server: Server, parts: SocketParts) {
  const upgrader = new WebSocketServer({
    noServer: true,
    maxPayload: 4096,
    perMessageDeflate: false,
    autoPong: false,
  });
  const feed = new EventFeed(parts.patientLedger, parts.report);
  const clients = new Map<WebSocket, Entry>();
  const perToken = new Map<Caller['id'], number>();
  const countFor = ({ id }: Caller, step: 1 | -1) => {
    const left = (perToken.get(id) ?? 0) + step;
    if (left > 0) perToken.set(id, left);
    else perToken.delete(id);
  };

  let stopped = false;

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { caller, wanted } = await admit(request, parts);
    await feed.open(parts.ledger);
    if (stopped) throw new FermataError('busy', 'The hub is stopping.');
    if (clients.size >= parts.maxSockets) throw tooMany('There are', parts.maxSockets);
    if ((perToken.get(caller.id) ?? 0) >= parts.maxPerToken)
      throw tooMany('This token has', parts.maxPerToken);
    upgrader.handleUpgrade(request, socket, head, (accepted) => attach(accepted, caller, wanted));
  };

  const attach = (socket: WebSocket, caller: Caller, wanted: Wanted) => {
    const client = new SocketClient(socket, parts.patientLedger, feed, wanted.after, wanted.all);
    const entry = { client, caller, alive: true };
    clients.set(socket, entry);
    countFor(caller, 1);
    feed.join(client);
    socket.on('pong', () => {
      entry.alive = true;
    });
    socket.on('ping', (data) => client.pong(data));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clients.delete(socket);
      countFor(caller, -1);
      feed.leave(client);
    });
    const start = async () => {
      // The token may have been revoked since it was checked.
      await endRevoked([entry]);
      await client.start();
    };
    start().catch((error: unknown) => {
      parts.report(error);
      client.close(closeCodes.failed, 'the ledger is not readable; reconnect with your cursor');
    });
  };

  const endRevoked = async (entries: Pick<Entry, 'client' | 'caller'>[]) => {
    for (const { client } of await revokedAmong(parts.patientLedger.credentials, entries))
      client.close(closeCodes.revoked, 'this token is no longer valid');
  };

  const lookAfter = () => {
    for (const [socket, entry] of [...clients]) {
      if (!entry.alive) socket.terminate();
      entry.alive = false;
      if (socket.readyState === socket.OPEN) socket.ping();
    }
  };
  const timer = setInterval(lookAfter, CHECK_MS);

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      serveWithoutUpgrade(server, request, socket, head);
      return;
    }
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => refuse(socket, error, parts.report));
  });

  return {
    count: () => clients.size,
    /** Ends the sockets whose token or session is no longer valid. */
    endRevoked: () => endRevoked([...clients.values()]),
    /** Notifies everybody, with the cursor, and lets nobody new in. */
    stop() {
      stopped = true;
      clearInterval(timer);
      for (const { client } of [...clients.values()])
        client.close(closeCodes.stopping, 'the hub is stopping; reconnect with your cursor');
      feed.close();
    },
  };
}

function tooMany(who: string, most: number): FermataError {
  return new FermataError('busy', `${who} ${most} sockets open, which is the limit. Try again later.`);
}

async function admit(
  request: IncomingMessage,
  parts: SocketParts,
): Promise<{ caller: Caller; wanted: Wanted }> {
  const { origin, authorization } = request.headers;
  const { host, path, search } = targetOf(request);
  checkHost(parts.allowed, host);
  checkOrigin(parts.allowed, host, origin);
  const query = new URLSearchParams(search);
  const ticket = query.get('ticket');
  const caller =
    ticket === null ? await authenticate(parts.auth, { authorization }) : await byTicket(parts, ticket);
  requirePerson(caller);
  const wanted = await wantedEvents(path, query.get('after'), parts.ledger, caller.projectId);
  for (const projectId of wanted.after.keys()) requireProject(caller, projectId);
  return { caller, wanted };
}

async function byTicket({ ledger }: SocketParts, ticket: string): Promise<Caller> {
  const found = await ledger.credentials.redeem(ticket, 'ticket');
  if (found) return toCaller({ ...found, id: found.parent }, 'ticket');
  throw new FermataError(
    'unauthorized',
    'This ticket was already used or has expired. Get a new one: POST /ws-ticket.',
  );
}

function refuse(socket: Duplex, error: unknown, report: (error: unknown) => void): void {
  if (isInside(error)) report(error);
  const { status, headers, body } = httpError(error);
  socket.end(closingResponse(status, body, headers));
  // The client may leave its side open forever.
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
}
