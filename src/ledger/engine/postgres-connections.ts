import { Socket } from 'node:net';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { isStalePlan } from './store-error.ts';

type Driver = typeof import('pg')['default'];

/** How long the server may take, in milliseconds. */
const times = {
  /** Then we check whether the server still answers at all. */
  suspect: 3000,
  statement: 60_000,
  connect: 5000,
  /** Also for a free connection. */
  take: 10_000,
  /** A lock holder that hangs must not block everybody; the waiting transaction fails and is tried again. */
  lock: 10_000,
  idleTransaction: 60_000,
  /** For an older connection to respond after an outage. */
  silent: 5000,
  close: 1000,
} satisfies Record<string, number>;

/** The server ends a connection whose client is gone within 8 s, and with it the locks of its transaction. */
const NOTICE_LOST_CLIENTS =
  '-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=2 -c tcp_user_timeout=8000';

/** The connections of one store. None of them can hang forever, whatever the server or the network does. */
export interface Connections {
  /** Runs `work` on a connection, which is discarded if `work` fails. */
  use<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  take(): Promise<PoolClient>;
  /** Runs statements on a connection that is already taken. */
  within<T>(client: PoolClient, statements: () => Promise<T>): Promise<T>;
  /** Throws if no new connection can be opened. */
  probe(): Promise<void>;
  /** Closes connections from before an outage that still do not respond. */
  dropSilent(): void;
  /** A connection for LISTEN alone. */
  listener(): InstanceType<Driver['Client']>;
  end(): Promise<void>;
}

export function openConnections(pg: Driver, url: string, onSlow: () => void): Connections {
  const sockets = new Set<Socket>();
  const socketOf = new WeakMap<ClientBase, Socket>();

  class OwnClient extends pg.Client {
    constructor(config?: ConstructorParameters<Driver['Client']>[0]) {
      const socket = new Socket();
      super({ ...(config as object), stream: () => socket });
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socketOf.set(this, socket);
      // Without a listener, a cut connection would end the process; its queries report the error.
      this.on('error', ignore);
    }
  }
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: times.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    options: NOTICE_LOST_CLIENTS,
  };
  const pool: Pool = new pg.Pool({
    ...connection,
    Client: OwnClient,
    max: 10,
    pipeline: true, // statements that are not awaited one by one are sent together
    types: numbersAsNumbers(pg.types),
    allowExitOnIdle: true,
    connectionTimeoutMillis: times.take,
    lock_timeout: times.lock,
    idle_in_transaction_session_timeout: times.idleTransaction,
  });
  pool.on('error', ignore);

  const cut = (socket: Socket | undefined, why: string) =>
    socket?.destroy(Object.assign(new Error(why), { code: 'ETIMEDOUT' }));

  async function within<T>(client: PoolClient, statements: () => Promise<T>): Promise<T> {
    let timer = setTimeout(() => {
      onSlow();
      const giveUp = () => cut(socketOf.get(client), `no answer within ${times.statement / 1000} s`);
      timer = setTimeout(giveUp, times.statement - times.suspect);
    }, times.suspect);
    try {
      return await statements();
    } catch (error) {
      if (isStalePlan(error)) cut(socketOf.get(client), 'its prepared statements are out of date');
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    within,
    take: () => pool.connect(),
    async use(work) {
      const client = await pool.connect();
      try {
        const result = await within(client, () => work(client));
        client.release();
        return result;
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    async probe() {
      const client = new OwnClient(connection);
      try {
        await client.connect();
      } finally {
        void client.end();
      }
    },
    dropSilent() {
      const before = [...sockets].map((socket) => ({ socket, read: socket.bytesRead }));
      const drop = () => {
        for (const { socket, read } of before)
          if (socket.bytesRead === read) cut(socket, 'no answer after an outage');
      };
      setTimeout(drop, times.silent).unref();
    },
    listener: () => new OwnClient(connection),
    async end() {
      setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, times.close).unref();
      await pool.end();
    },
  };
}

/** Reads 64-bit integers as numbers, because ours stay far below 2^53. */
function numbersAsNumbers(types: Driver['types']) {
  const INT8 = 20;
  return {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? (text: string) => Number(text) : types.getTypeParser(oid, format ?? 'text'),
  } as Driver['types'];
}

const ignore = () => undefined;
