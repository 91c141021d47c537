import { type Outage, outage } from '../../support/model/outages.ts';
import { delay, type Scripted } from '../../support/model/script.ts';

/** How the model behind a real CLI takes its next requests. */
export interface Mood {
  /** `silent`: it takes the request, and does not answer. */
  is: 'well' | 'silent';
  /** The next requests fail like this, one after the other. The last of it lasts. */
  fails: readonly Outage[];
  /** How they have failed. */
  failed: Set<Outage>;
}

export const well = (): Mood => ({ is: 'well', fails: [], failed: new Set() });

/** Longer than a test takes. */
const LONG_MS = 120_000;

/** `half`: what is left of a truncated reply. `isMeant`: whose requests fail, if not all of them do. */
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
