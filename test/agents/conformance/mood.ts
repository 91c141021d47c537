import { type Outage, outage } from '../../support/model/outages.ts';
import { delay, type Scripted } from '../../support/model/script.ts';

/** How the model behind a real CLI handles its next requests. */
export interface Mood {
  /** `silent`: it accepts the request and does not answer. */
  is: 'well' | 'silent';
  /** How the next requests fail, one after the other; the last entry applies from then on. */
  fails: readonly Outage[];
  /** How they have failed. */
  failed: Set<Outage>;
}

export const well = (): Mood => ({ is: 'well', fails: [], failed: new Set() });

/** Longer than a test takes. */
const LONG_MS = 120_000;

/** `half`: the start of a truncated reply. `isMeant`: which requests fail, if not all. */
export function moody<Request, Reply>(
  mood: Mood,
  half: Reply,
  script: (request: Request) => Scripted<Reply> | Promise<Scripted<Reply>>,
  isMeant: (request: Request) => boolean = () => true,
): (request: Request) => Promise<Scripted<Reply>> {
  return async (request) => {
    const reply = await script(request);
    const [failure, ...more] = isMeant(request) ? mood.fails : [];
    if (failure !== undefined) {
      if (more.length > 0) mood.fails = more;
      mood.failed.add(failure);
      return outage(failure, half);
    }
    return mood.is === 'silent' ? delay(LONG_MS, reply) : reply;
  };
}
