import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'vitest';
import type { HubProcess } from './hub-process.ts';
import { kinds } from './kinds.ts';
import { type Kill, type Store, survive } from './survive.ts';

/** How often the hub is killed at each point, if that takes no longer than this. */
const KILLS = 20;
const CELL_MS = 60_000;

/** Kills the hub at each crash point of each kind, and at random moments. */
export function describeMatrix(store: Store): void {
  describe.each(Object.entries(kinds))(`CRASH WORK-8 a %s on ${store}, killed`, (name, kind) => {
    test.for([...kind.points, 'a random moment'])(
      'at %s, up to 20 times: nothing is lost, asked or done twice',
      async (point, { annotate }) => {
        const end = Date.now() + CELL_MS;
        const kill: Kill = kind.points.includes(point) ? point : aliveFor(() => 100 + Math.random() * 1500);
        let kills = 0;
        for (; kills < KILLS && Date.now() < end; kills += 1) await survive(name, kind, [kill], { store });
        await annotate(`${kills} kills`);
      },
    );
  });
}

const aliveFor = (ms: () => number) => (hub: HubProcess) =>
  Promise.race([hub.attend().catch(() => undefined), sleep(ms())]);
