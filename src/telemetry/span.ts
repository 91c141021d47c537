export type Attributes = Record<string, string | number | boolean>;

export interface Span {
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
