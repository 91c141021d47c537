import { expect, test } from 'vitest';
import { AppServerReader } from '../../../src/agents/codex/app-server-reader.ts';
import { refused, turnFailed } from '../../../src/agents/codex/end.ts';
import type { StreamEvent } from '../../../src/agents/stream/events.ts';

function failed(message: string, codexErrorInfo: unknown) {
  const events: StreamEvent[] = [];
  const turn = { id: 'turn-1', status: 'failed', error: { message, codexErrorInfo } };
  new AppServerReader((event) => events.push(event)).read({
    method: 'turn/completed',
    params: { threadId: 't', turn },
  });
  const result = events.find((event) => event.type === 'result');
  if (!result) throw new Error(JSON.stringify(events));
  return turnFailed('codex', result);
}

test.each([
  ['a status with its name', 'scripted', 'internalServerError', 500],
  ['a status in an object', 'scripted', { httpConnectionFailed: { httpStatusCode: 401 } }, 401],
  ['a status in the words of the oldest version', 'unexpected status 401 Unauthorized: x', 'other', 401],
  ['a response that is passed on', '{"error":{"type":"invalid_request_error"}}', 'other', 400],
  ['a dead line', 'stream disconnected before completion: error sending request', 'other', undefined],
  ['a broken stream', 'x', { responseStreamDisconnected: { httpStatusCode: null } }, undefined],
])('HEAR-5 %s is an error of the API', (_, message, info, apiStatus) => {
  expect(failed(message, info)).toMatchObject({ reason: 'api_error', ...(apiStatus ? { apiStatus } : {}) });
});

test('HEAR-5 anything else has failed, and only a missing thread is lost', () => {
  expect(failed('out of room', 'contextWindowExceeded').reason).toBe('failed');
  expect(failed('out of room', 'constructor').reason).toBe('failed');
  expect(refused('codex', 'no rollout found for thread id x', 'x').reason).toBe('session_lost');
  expect(refused('codex', 'no rollout found for thread id x', undefined).reason).toBe('failed');
  expect(refused('codex', 'failed to load configuration', 'x').reason).toBe('no_result');
  expect(refused('codex', 'failed to load configuration', undefined).reason).toBe('failed');
});
