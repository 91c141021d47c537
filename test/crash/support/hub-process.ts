import { setTimeout as sleep } from 'node:timers/promises';
import { isApproval } from '../../../src/schema/is-question.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { request } from '../../hub/support/hub.ts';
import { startFermata } from '../../support/fermata.ts';
import { ANSWER, type Env, type Kind } from './kinds.ts';

const PATIENCE_MS = 90_000;

/** The real program with a hub on a free port, and a person who uses it. It may die at any time. */
export function startHub(name: string, { request: wanted, doneBy }: Kind, cwd: string, env: Env) {
  const running = startFermata(['serve', '--port', '0', '--format', 'json'], { cwd, env, limitMs: 300_000 });
  let isDead = false;
  const ended = running.ended.finally(() => {
    isDead = true;
  });
  let known: { hub: string; token: string; at: string } | undefined;

  async function project() {
    if (known) return known;
    const [line = ''] = (await running.shows(/\n/)).split('\n');
    const { url: hub, token } = JSON.parse(line) as { url: string; token: string };
    const { id } = await send({ hub, token, at: '' }, 'POST', '/projects', { root: cwd });
    known = { hub, token, at: `/projects/${id}` };
    return known;
  }

  const call = async (method: string, path: string, body?: unknown) =>
    send(await project(), method, path, body);

  /** The address of the task, and how far it is. */
  async function find() {
    const [task] = await call('GET', `/tasks?kind=${doneBy ?? name}`);
    if (!task) return undefined;
    const path = `/tasks/${encodeURIComponent(task.id)}`;
    return { path, work: (await call('GET', path)).work };
  }

  /** Safe to repeat if nobody knows whether the hub had time to do it. */
  async function submit(): Promise<void> {
    const start = { agent: 'scripted' };
    const task = await find();
    if (task?.work.running || task?.work.result) return;
    if (task) await call('POST', `${task.path}/start`, start);
    else await call('POST', '/tasks', { ...wanted, start });
  }

  async function answerAll() {
    const open: Notification[] = await call('GET', '/notifications');
    for (const asked of open) {
      const answer = isApproval(asked) ? 'approve' : ANSWER;
      const responses = asked.questions.map(({ id: questionId }) => ({ questionId, answer }));
      await call('PATCH', `/notifications/${asked.id}`, { responses });
    }
  }

  /** Answers what is asked until the work has ended. */
  async function attend(): Promise<{ result: string; error: string | null }> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
      const task = await find();
      if (task?.work.result) return task.work;
      await answerAll();
    }
    throw new Error(`It did not end: ${JSON.stringify(await find())}`);
  }

  return {
    submit,
    attend,
    hasAsked: async () => (await call('GET', '/notifications')).length > 0,
    async kill() {
      running.child.kill('SIGKILL');
      await ended;
    },
    /** What this comes to, or `died` if the hub dies at its crash point, which may be just after the end of the work. */
    async unlessDead<T>(work: () => Promise<T>): Promise<T | 'died'> {
      const outcome = await work().catch((error: Error) => error);
      await Promise.race([ended, sleep(5000)]);
      if (isDead) return 'died';
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
}

export type HubProcess = ReturnType<typeof startHub>;

async function send(
  { hub, token, at }: { hub: string; token: string; at: string },
  method: string,
  path: string,
  body?: unknown,
) {
  const reply = await request(hub + at + path, method, body, { authorization: `Bearer ${token}` });
  if (reply.status < 400) return reply.body.data;
  throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
}
