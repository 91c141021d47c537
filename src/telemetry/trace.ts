import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };

const current = new AsyncLocalStorage<{ traceId: string; spanId: string }>();
let exporter: OtlpExporter | undefined;

/** Sends what `traced` records to the endpoint that the environment names; without one, nothing is recorded. */
export function startTracing(env: Record<string, string | undefined>, tell: (text: string) => void): void {
  exporter ??= otlpExporter(env, tell);
}

/** Sends what is left, within the time limit of one request. */
export async function stopTracing(): Promise<void> {
  const last = exporter;
  exporter = undefined;
  await last?.stop();
}

/**
 * Runs `work` as one span, inside the caller's span. Attributes are ids and names, never text that a
 * person or an agent wrote.
 */
export async function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (!exporter) return work();
  const parent = current.getStore();
  const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  const start = nanoseconds();
  const end = (error?: string) =>
    exporter?.add({
      ...{ traceId, spanId, name, start, end: nanoseconds(), attributes },
      ...(parent ? { parentSpanId: parent.spanId } : {}),
      ...(error === undefined ? {} : { error }),
    });
  try {
    const result = await current.run({ traceId, spanId }, work);
    end();
    return result;
  } catch (error) {
    end(error instanceof Error ? error.name : 'Error');
    throw error;
  }
}

const nanoseconds = () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;

interface OtlpExporter {
  add(span: Span): void;
  stop(): Promise<void>;
}

const EVERY_MS = 2000;
const REQUEST_MS = 5000;
/** Only an unreachable endpoint lets more than this pile up; then the oldest are dropped. */
const MAX_SPANS = 2048;

/** Sends spans as OTLP/HTTP with JSON, in batches. If the collector is unreachable, spans are lost, but work continues. */
function otlpExporter(
  env: Record<string, string | undefined>,
  tell: (text: string) => void,
): OtlpExporter | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return undefined;
  if (!URL.canParse(endpoint) || !/^https?:/.test(endpoint)) {
    tell('OTEL_EXPORTER_OTLP_ENDPOINT is not an http address, so no traces are sent.');
    return undefined;
  }
  const url = new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`);
  // fetch refuses such an address, and repeats it in its error.
  if (url.username !== '' || url.password !== '') {
    tell(
      'OTEL_EXPORTER_OTLP_ENDPOINT has a name or password in it, so no traces are sent. Use OTEL_EXPORTER_OTLP_HEADERS.',
    );
    return undefined;
  }
  const headers = headersFrom(env.OTEL_EXPORTER_OTLP_HEADERS);
  if (!headers) {
    tell('OTEL_EXPORTER_OTLP_HEADERS is not valid, so no traces are sent. Write name=value,name=value.');
    return undefined;
  }
  let waiting: Span[] = [];
  let sending: Promise<void> = Promise.resolve();
  let isAway = false;

  const send = async () => {
    const spans = waiting;
    waiting = [];
    if (spans.length === 0) return;
    try {
      const body = JSON.stringify(payload(spans, env.OTEL_SERVICE_NAME ?? 'fermata'));
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(REQUEST_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      isAway = false;
    } catch (error) {
      if (!isAway) tell(`Traces cannot be sent to ${url.origin}: ${reason(error)}. Fermata keeps trying.`);
      isAway = true;
      waiting = [...spans, ...waiting].slice(-MAX_SPANS);
    }
  };
  const flush = () => {
    sending = sending.then(send);
    return sending;
  };
  const timer = setInterval(flush, EVERY_MS).unref();
  return {
    add(span) {
      waiting.push(span);
      if (waiting.length > MAX_SPANS) waiting.shift();
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Undefined if the text is not a list of headers. */
function headersFrom(text = ''): Headers | undefined {
  const headers = new Headers({ 'content-type': 'application/json' });
  try {
    for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
      const [name = '', ...value] = pair.split('=');
      headers.set(name.trim(), decodeURIComponent(value.join('=').trim()));
    }
    return headers;
  } catch (error) {
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

function payload(spans: Span[], service: string): object {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: attributesOf({ 'service.name': service, 'service.version': packageJson.version }),
        },
        scopeSpans: [{ scope: { name: 'fermata' }, spans: spans.map(spanOf) }],
      },
    ],
  };
}

function spanOf({ start, end, attributes, error, ...span }: Span): object {
  return {
    ...span,
    kind: 1,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(end),
    attributes: attributesOf(attributes),
    status: error === undefined ? {} : { code: 2, message: error },
  };
}

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  return typeof value === 'boolean' ? { boolValue: value } : { doubleValue: value };
}

const reason = (error: unknown) => {
  const cause = (error as { cause?: { code?: string } }).cause?.code;
  return cause ?? (error instanceof Error ? error.message : String(error));
};

export type Attributes = Record<string, string | number | boolean>;

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** Nanoseconds since 1970. */
  start: bigint;
  end: bigint;
  attributes: Attributes;
  error?: string;
}
