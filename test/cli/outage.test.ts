import { describe, expect, it } from 'vitest';
import { freshFolder, type Running, startFermata } from '../support/fermata.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { surviveOutage } from './support/outage-scenario.ts';

if (postgresMissing) it('PostgreSQL is not tested here', ({ skip }) => skip(postgresMissing));

describe.skipIf(postgresMissing)('programs on a PostgreSQL that goes away', { timeout: 240_000 }, () => {
  const postgres = ownPostgres();

  it('OPS-6 a hub, a run with three agents, ask, mcp and events live through five seconds without it', async () => {
    await surviveOutage(postgres, { how: 'stop', ms: 5000 });
  });

  it('OPS-6 serve that is started without it says so, waits, and serves; Ctrl-C ends the wait of a command', async () => {
    const at = { cwd: freshFolder(), env: { FERMATA_STORE: await postgres.createDatabase() } };
    await postgres.halt('stop');
    const hub = startFermata(['serve', '--port', '0', '--json'], at);
    const inbox = startFermata(['events', '--follow'], at);
    await Promise.all([hub, inbox].map(saysThatItWaits));
    inbox.child.kill('SIGINT');
    expect((await inbox.ended).code).not.toBe(0);
    await postgres.bringBack();
    await hub.shows(/"url"/);
    hub.child.kill('SIGINT');
    expect((await hub.ended).stderr.match(/The store is/g)).toHaveLength(2);
  });
});

function saysThatItWaits({ child }: Running): Promise<void> {
  return new Promise((told) => {
    let text = '';
    child.stderr?.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('The store is unavailable')) told();
    });
  });
}
