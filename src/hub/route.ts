import type * as z from 'zod';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import type { Caller } from './auth/caller.ts';
import type { HubWork } from './work.ts';

/** The validated input of a route. */
export interface Call<Query, Body> {
  ledger: Ledger;
  work: HubWork;
  caller: Caller;
  by: By;
  /** The named parts of the path: `project`, `task`, … */
  params: Record<string, string>;
  query: Query;
  body: Body;
}

/** What a route returns: `{data}`, with `next` if there is another page. */
export interface RouteResult {
  data: unknown;
  next?: string;
  /** If it is not the first of the route's `statuses`. */
  status?: SuccessStatus;
}

type SuccessStatus = 200 | 201;

/** One entry of the API. The schemas that validate a request also describe it in the OpenAPI document. */
export interface Route {
  /** The name in generated clients. */
  operationId: string;
  method: 'get' | 'post' | 'patch' | 'delete';
  /** With placeholders, as in `/projects/:project/tasks/:task`. */
  path: string;
  /** One sentence for the documentation. */
  summary: string;
  /** More sentences, if one does not say it all. */
  description?: string;
  /** `person`: an agent's token is refused. */
  who: 'anybody' | 'person';
  query?: z.ZodObject;
  body?: z.ZodType;
  /** What clients send, if it is not the whole `body`: `complete` adds what the path says. */
  sent?: z.ZodType;
  complete?(sent: Record<string, unknown>, params: Record<string, string>): unknown;
  /** The statuses of a success, the usual one first. Default: 200. */
  statuses?: [SuccessStatus, ...SuccessStatus[]];
  /** The shape of `data`. */
  data: z.ZodType;
  /** Whether the response is a page with `next`. */
  paged?: true;
  handle(call: Call<unknown, unknown>): Promise<RouteResult>;
}

interface TypedRoute<Query extends z.ZodObject, Body extends z.ZodType>
  extends Omit<Route, 'query' | 'body' | 'handle'> {
  query?: Query;
  body?: Body;
  handle(call: Call<z.infer<Query>, z.infer<Body>>): Promise<RouteResult>;
}

/** Ties the types of `query` and `body` to what `handle` gets. */
export function route<Query extends z.ZodObject, Body extends z.ZodType>(
  definition: TypedRoute<Query, Body>,
): Route {
  return definition as Route;
}

/** A body with the project in its path. */
export function inProject(
  sent: Record<string, unknown>,
  { project = '' }: Record<string, string>,
): Record<string, unknown> {
  const { projectId = project } = sent;
  if (projectId !== project)
    throw new FermataError(
      'invalid',
      `The projectId in the body is not the one in the path (${project}). Leave it out.`,
    );
  return { ...sent, projectId };
}
