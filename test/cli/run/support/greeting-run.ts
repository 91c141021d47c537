import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { asked } from '../../../support/asked.ts';
import { fermata, startFermata } from '../../../support/fermata.ts';
import { planRepository } from './plan-repository.ts';

/** How long a real CLI may take for a phase. */
export const LONG = 90_000;

/** `fermata run` of one phase, in which a real CLI has to write "Ahoy" into greeting.txt. */
export function startGreetingRun(agent: 'claude' | 'codex', program: string, env: Record<string, string>) {
  const place = planRepository([{ id: '1', gate: 'grep Ahoy greeting.txt' }], env);
  const running = startFermata(
    ['run', 'plans/shop', '--wait', '--json', '--agent', agent, '--agent-command', program],
    { ...place.at, limitMs: LONG },
  );
  running.child.stdin?.end();
  return {
    asked: () => asked(place.at),
    async answer(id: string, value: string): Promise<void> {
      expect((await fermata(['answer', id, value], place.at)).code).toBe(0);
    },
    /** Expects success, with the greeting and this commit merged. Returns the output. */
    async expectMerged(subject: string): Promise<string> {
      const { code, stdout, stderr } = await running.ended;
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ result: 'done', phases: [{ status: 'closed' }] });
      expect(readFileSync(join(place.cwd, 'greeting.txt'), 'utf8')).toBe('Ahoy\n');
      expect(place.git('log', '--topo-order', '--format=%s', '-2', 'work').split('\n')).toEqual([
        "Merge branch 'work--shop--implementation-1' into work",
        subject,
      ]);
      return stderr;
    },
  };
}
