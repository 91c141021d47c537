import { describe, expect, it } from 'vitest';
import { surviveOutage } from '../cli/support/outage-scenario.ts';
import { workerSurvivesOutage } from '../cli/support/worker-outage.ts';
import { freshFolder, type Running, startFermata } from '../support/fermata.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { ownPostgres } from '../support/own-postgres.ts';

if (postgresMissing) it('PostgreSQL is not tested here', ({ skip }) => skip(postgresMissing));

describe.skipIf(postgresMissing)('programs on a PostgreSQL that goes away', { timeout: 240_000 }, () => {
  const postgres = ownPostgres();

  it('OPS-6 a hub, a run with three agents, ask, mcp and events live through five seconds without it', async () => {
    await surviveOutage(postgres, { how: 'stop', ms: 5000 });
  });

  it('OPS-6 TEAM-2 a worker keeps its agent while the store is frozen for two seconds, and continues', async () => {
    await workerSurvivesOutage(postgres, { how: 'freeze', ms: 2000 });
  });

  it('OPS-6 serve and worker started without it say so, wait, and start; Ctrl-C ends the wait of a command', async () => {
    const at = { cwd: freshFolder(), env: { FERMATA_STORE: await postgres.createDatabase() } };
    await postgres.halt('stop');
    const hub = startFermata(['serve', '--port', '0', '--json'], at);
    const inbox = startFermata(['events', '--follow'], at);
    const worker = startFermata(['worker', '--can', 'scripted'], at);
    await Promise.all([hub, inbox, worker].map(saysThatItWaits));
    inbox.child.kill('SIGINT');
    expect((await inbox.ended).code).not.toBe(0);
    await postgres.bringBack();
    await Promise.all([hub.shows(/"url"/), says(worker, 'is ready')]);
    for (const each of [hub, worker]) {
      each.child.kill('SIGINT');
      expect((await each.ended).stderr.match(/The store is/g)).toHaveLength(2);
    }
  });
});

const saysThatItWaits = (running: Running) => says(running, 'The store is unavailable');

function says({ child }: Running, sentence: string): Promise<void> {
  return new Promise((told) => {
    let text = '';
    child.stderr?.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes(sentence)) told();
    });
  });
}
