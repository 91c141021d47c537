import { PAGE_KEY_HEADER } from './auth/session-halves.ts';

/** A program sends a token, the page both halves of its session. */
export const security = { token: { token: [] }, session: { cookie: [], pageKey: [] } };
export type Credential = keyof typeof security;

export const securitySchemes = (cookieName: string) => ({
  token: { type: 'http', scheme: 'bearer', description: 'A token of this hub, for programs.' },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName,
    description: 'Set by `logIn`, for browsers. It needs the page key, too.',
  },
  pageKey: {
    type: 'apiKey',
    in: 'header',
    name: PAGE_KEY_HEADER,
    description: 'The `pageKey` that `logIn` returns. It needs the cookie, too.',
  },
});
