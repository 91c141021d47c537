import * as z from 'zod';
import { writeCursor } from '../../ledger/engine/stored.ts';
import { Token, TokenInput } from '../../schema/credential.ts';
import { FermataError } from '../../schema/error.ts';
import type { Caller } from '../auth/caller.ts';
import { type Route, route } from '../route.ts';
import { after, limit, pageOf } from './page-of.ts';

export const tokenRoutes: Route[] = [
  route({
    operationId: 'listTokens',
    method: 'get',
    path: '/tokens',
    summary: 'Lists the tokens of programs, oldest first, without their secrets.',
    who: 'person',
    query: z.strictObject({ after, limit }),
    data: z.array(Token),
    paged: true,
    async handle({ ledger, caller, query }) {
      requireAllProjects(caller);
      return pageOf(
        query,
        (most, from) => ledger.credentials.tokens(most, from),
        ({ createdAt, id }) => writeCursor(createdAt, id),
      );
    },
  }),
  route({
    operationId: 'makeToken',
    method: 'post',
    path: '/tokens',
    summary: 'Creates a token.',
    description: 'The response has its `secret`, which is never shown again.',
    who: 'person',
    body: TokenInput,
    statuses: [201],
    data: Token.extend({ secret: z.string() }),
    async handle({ ledger, caller, body }) {
      requireAllProjects(caller);
      if (body.projectId !== undefined) await ledger.projects.get(body.projectId);
      const { token, secret } = await ledger.credentials.makeToken(body);
      return { data: { ...token, secret } };
    },
  }),
  route({
    operationId: 'revokeToken',
    method: 'delete',
    path: '/tokens/:token',
    summary: 'Revokes a token and every session opened with it.',
    description: "An agent's open questions are withdrawn, and its unsent notices are dropped.",
    who: 'person',
    data: z.null(),
    async handle({ ledger, caller, params, by }) {
      requireAllProjects(caller);
      await ledger.credentials.revoke(params.token ?? '', by);
      return { data: null };
    },
  }),
];

/** Otherwise a token for one project could create one for all. */
function requireAllProjects({ projectId }: Caller): void {
  if (projectId !== null) throw new FermataError('forbidden', 'This token is for one project only.');
}
