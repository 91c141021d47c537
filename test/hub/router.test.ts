import { describe, expect, it } from 'vitest';
import type { Serve } from '../../src/hub/http/message.ts';
import { Router } from '../../src/hub/http/router.ts';

const serving =
  (body: string): Serve =>
  () =>
    Promise.resolve({ status: 200, headers: {}, body });

/** `METHOD /path` of the matching entry, and the values of its parameters. */
async function found(router: Router, method: string, path: string) {
  const hit = router.find(method, path);
  if (!hit) return undefined;
  const response = await hit.serve({} as never);
  return { entry: 'body' in response ? response.body : undefined, params: hit.params };
}

describe('the router (HUB-1)', () => {
  const router = new Router();
  for (const entry of [
    'GET /projects',
    'GET /projects/:project',
    'GET /projects/:project/tasks/ready',
    'GET /projects/:project/tasks/:task',
    'PATCH /projects/:project/tasks/:task',
    'GET /projects/:project/tasks/:task/chat',
  ]) {
    const [method = '', path = ''] = entry.split(' ');
    router.add(method, path, serving(entry));
  }

  it.each([
    ['GET', '/projects', 'GET /projects', {}],
    ['GET', '/projects/p-1', 'GET /projects/:project', { project: 'p-1' }],
    ['GET', '/projects/p/tasks/ready', 'GET /projects/:project/tasks/ready', { project: 'p' }],
    ['GET', '/projects/p/tasks/7', 'GET /projects/:project/tasks/:task', { project: 'p', task: '7' }],
    [
      'PATCH',
      '/projects/p/tasks/ready',
      'PATCH /projects/:project/tasks/:task',
      { project: 'p', task: 'ready' },
    ],
    [
      'GET',
      '/projects/p/tasks/ready/chat',
      'GET /projects/:project/tasks/:task/chat',
      { project: 'p', task: 'ready' },
    ],
    ['GET', '/projects/a%2Fb%20c', 'GET /projects/:project', { project: 'a/b c' }],
    ['GET', '/projects/__proto__', 'GET /projects/:project', { project: '__proto__' }],
  ])('%s %s leads to %s', async (method, path, entry, params) => {
    expect(await found(router, method, path)).toEqual({ entry, params });
  });

  it.each([
    ['GET', '/'],
    ['GET', ''],
    ['GET', '*'],
    ['GET', '/projects/'],
    ['GET', '//projects'],
    ['GET', '/projects//tasks/7'],
    ['GET', '/projects/p/tasks'],
    ['GET', '/projects/p/tasks/7/chat/more'],
    ['DELETE', '/projects'],
    ['get', '/projects'],
    ['GET', '/constructor'],
  ])('%s %s leads nowhere', async (method, path) => {
    expect(await found(router, method, path)).toBeUndefined();
  });

  it('a badly encoded part is refused with what to write', () => {
    expect(() => router.find('GET', '/projects/50%')).toThrow(
      '"50%" in the URL is not encoded correctly. Write "%" as "%25".',
    );
  });
});
