import { bodyLimit } from 'hono/body-limit';
import { FermataError } from '../schema/error.ts';
import { limits } from '../schema/limits.ts';
import type { HubContext } from './http/context.ts';

/** The largest notification fits, however its JSON is written. */
const MAX_BODY_SIZE = 2 * limits.notificationBytes;

/** Far deeper than any valid body, but far below the stack limit. */
const DEEPEST = 200;

/** The JSON body of a request, bounded; undefined if it is empty. */
export async function readJson(c: HubContext, most = MAX_BODY_SIZE): Promise<unknown> {
  const text = await readText(c, most);
  if (text === '') return undefined;
  if (text.length > DEEPEST && isDeeperThan(DEEPEST, text))
    throw new FermataError('invalid', `The body has more than ${DEEPEST} nesting levels.`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FermataError('invalid', `The body is not valid JSON: ${(cause as Error).message}.`, { cause });
  }
}

export async function readText(c: HubContext, most = MAX_BODY_SIZE): Promise<string> {
  const refuse = () => {
    throw new FermataError('too_large', `The body is larger than ${most} bytes.`);
  };
  const declared = c.req.header('content-length');
  if (Number(declared) > most) refuse();
  try {
    if (declared === undefined) await bodyLimit({ maxSize: most, onError: refuse })(c, async () => undefined);
    return await c.req.text();
  } catch (cause) {
    if (cause instanceof FermataError) throw cause;
    throw new FermataError('invalid', 'The request was aborted.', { cause });
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Whether a JSON text has more than `most` nesting levels, because each costs a recursive reader one call. */
function isDeeperThan(most: number, json: string): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (inText) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (opening.has(code)) {
      if (++depth > most) return true;
    } else if (closing.has(code)) depth--;
  }
  return false;
}
