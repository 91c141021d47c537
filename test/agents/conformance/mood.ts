import { delay, httpError, type Scripted } from '../../support/model/script.ts';

/** How the model behind a real CLI takes its next requests. */
export interface Mood {
  /** `refuses`: with an error that the CLI does not try again. `silent`: it takes the request, and does not answer. */
  is: 'well' | 'refuses' | 'silent';
}

/** Longer than a test takes. */
const LONG_MS = 120_000;

export function moody<Request, Reply>(
  mood: Mood,
  refusal: number,
  script: (request: Request) => Scripted<Reply>,
): (request: Request) => Scripted<Reply> {
  return (request) => {
    if (mood.is === 'refuses') return httpError(refusal, 'permission_error', 'Not today.');
    return mood.is === 'silent' ? delay(LONG_MS, script(request)) : script(request);
  };
}
