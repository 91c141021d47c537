import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { type OtlpExporter, otlpExporter } from './otlp.ts';
import type { Attributes } from './span.ts';

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
