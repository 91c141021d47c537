import * as z from 'zod';
import { writeCursor } from '../../ledger/cursor.ts';
import { Token, TokenInput } from '../../schema/credential.ts';
import { FermataError } from '../../schema/error.ts';
import type { Caller } from '../auth/caller.ts';
import { type Route, route } from '../route.ts';
import { pageOf } from './page-of.ts';
import { after, limit } from './query.ts';

export const tokenRoutes: Route[] = [
  route({
    method: 'get',
    path: '/tokens',
    summary: 'The tokens that were made for programs, oldest first. Their secrets are kept nowhere.',
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
    method: 'post',
    path: '/tokens',
    summary: 'Makes a token. `secret` is told here once and never again.',
    who: 'person',
    body: TokenInput,
    data: Token.extend({ secret: z.string() }),
    async handle({ ledger, caller, body }) {
      requireAllProjects(caller);
      if (body.projectId !== undefined) await ledger.projects.get(body.projectId);
      const { token, secret } = await ledger.credentials.makeToken(body);
      return { status: 201, data: { ...token, secret } };
    },
  }),
  route({
    method: 'delete',
    path: '/tokens/:token',
    summary: 'Revokes a token, with everything that was opened by it.',
    who: 'person',
    data: z.null(),
    async handle({ ledger, caller, params }) {
      requireAllProjects(caller);
      await ledger.credentials.revoke(params.token ?? '');
      return { data: null };
    },
  }),
];

/** Else a token of one project could make itself one for all. */
function requireAllProjects({ projectId }: Caller): void {
  if (projectId !== null) throw new FermataError('forbidden', 'This token is for one project only.');
}
