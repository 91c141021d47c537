import type * as z from 'zod';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import type { Caller } from './auth/caller.ts';
import type { HubWork } from './work.ts';

/** What a route works with, validated. */
export interface Call<Query, Body> {
  ledger: Ledger;
  work: HubWork;
  caller: Caller;
  by: By;
  /** The parts of the path that are names: `project`, `task`, … */
  params: Record<string, string>;
  query: Query;
  body: Body;
}

/** What a route gives back: `{data}`, with `next` where there is another page. */
export interface RouteResult {
  data: unknown;
  next?: string;
  status?: 200 | 201;
}

/** One entry of the API: what validates a request is what describes it in the OpenAPI document. */
export interface Route {
  /** What generated clients call it. */
  operationId: string;
  method: 'get' | 'post' | 'patch' | 'delete';
  /** With names as in `/projects/:project/tasks/:task`. */
  path: string;
  /** One sentence for the documentation. */
  summary: string;
  /** `person`: an agent's token is refused. */
  who: 'anybody' | 'person';
  query?: z.ZodType;
  body?: z.ZodType;
  /** The shape of `data`. */
  data: z.ZodType;
  /** Whether the reply is a page with `next`. */
  paged?: true;
  handle(call: Call<unknown, unknown>): Promise<RouteResult>;
}

interface TypedRoute<Query extends z.ZodType, Body extends z.ZodType>
  extends Omit<Route, 'query' | 'body' | 'handle'> {
  query?: Query;
  body?: Body;
  handle(call: Call<z.infer<Query>, z.infer<Body>>): Promise<RouteResult>;
}

/** Ties the types of `query` and `body` to what `handle` gets. */
export function route<Query extends z.ZodType, Body extends z.ZodType>(
  definition: TypedRoute<Query, Body>,
): Route {
  return definition as Route;
}
