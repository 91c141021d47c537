import { answerInTerminal } from '../../channels/terminal.ts';
import type { ProjectIdentity } from '../../config/settings.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By, Channel } from '../../schema/actor.ts';
import type { Notification } from '../../schema/notification.ts';
import type { RepositoryContent } from '../../work/trust/repository-content.ts';
import * as app from '../../work/trust/require-trust.ts';
import { isAtTerminal } from '../at-terminal.ts';
import { tellReport } from '../tell-report.ts';
import type { TrustOptions } from './trust-options.ts';

interface Asking {
  ledger: Ledger;
  by(channel: Channel): By;
}

/** Requires that a person trusts all of this; asks a person at this terminal. */
export function requireTrust(
  session: Asking,
  project: Pick<ProjectIdentity, 'id' | 'name'> & { root: string | null },
  contents: readonly RepositoryContent[],
  options: TrustOptions,
): Promise<void> {
  return app.requireTrust(trustContext(session, options), project, contents, options);
}

/** The context for decisions about trust at this terminal. */
export const trustContext = (session: Asking, { prompt }: Pick<TrustOptions, 'prompt'>) => ({
  ledger: session.ledger,
  env: process.env,
  who: session.by('command'),
  report: tellReport,
  ask: prompt === false || !isAtTerminal() ? {} : { now: (asked: Notification[]) => askHere(session, asked) },
});

async function askHere({ ledger, by }: Asking, asked: Notification[]): Promise<void> {
  const io = { input: process.stdin, output: process.stderr };
  const { interrupted } = await answerInTerminal(ledger, asked, by('terminal'), io);
  if (interrupted)
    throw new DOMException('Interrupted. What you did not answer waits in the inbox.', 'AbortError');
}
