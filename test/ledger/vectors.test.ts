import { describe, expect, it } from 'vitest';
import { parseHilConfig, presetOf } from '../../src/ledger/decisions/autonomy.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { normalizeQuestions } from '../../src/ledger/notifications/questions.ts';
import { FermataError } from '../../src/schema/error.ts';
import { answers, askFor, readyIds } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';
import autonomy from './vectors/autonomy.json' with { type: 'json' };
import flow from './vectors/flow.json' with { type: 'json' };
import questions from './vectors/questions.json' with { type: 'json' };

/** Observed behaviour of an ancestor, in our words. docs/contributors/vector-differences.md lists where we differ. */
describe('vectors of questions', () => {
  it.each(questions)('LED-2 $name', ({ entries, questions: expected, dropped }) => {
    const result = normalizeQuestions(entries, 'now');
    expect(result.questions).toMatchObject(expected);
    expect(result.questions).toHaveLength(expected.length);
    expect(result.dropped).toHaveLength(dropped);
  });
});

describe('vectors of autonomy', () => {
  it.each(autonomy)('LED-10 $name', ({ input, levels, preset, refused }) => {
    if (refused !== undefined) {
      expect(() => parseHilConfig(input)).toThrow(FermataError);
      return;
    }
    const config = parseHilConfig(input);
    expect([config.scopeChanges, config.architectureDecisions, config.dependencyModifications]).toEqual(
      levels,
    );
    expect(presetOf(config)).toBe(preset);
  });
});

interface Play {
  ledger: Ledger;
  project: string;
  asked: string[];
}
type Deed = (play: Play, ...given: unknown[]) => Promise<unknown>;

const deeds: Record<string, Deed> = {
  add: ({ ledger, project }, id) => ledger.tasks.add({ projectId: project, id: `${id}`, title: 'Work' }, ann),
  depend: ({ ledger, project }, id, on) => ledger.tasks.depend(project, `${id}`, [`${on}`], ann),
  claim: ({ ledger, project }, id, worker) =>
    ledger.tasks.claim(project, `${id}`, { worker: `${worker}`, leaseSeconds: 60 }, coder),
  release: async ({ ledger, project }, id) => {
    const { fence } = await ledger.tasks.get(project, `${id}`);
    return ledger.tasks.release(project, `${id}`, fence, coder);
  },
  block: ({ ledger, project }, id, reason) => ledger.tasks.block(project, `${id}`, `${reason}`, ann),
  unblock: ({ ledger, project }, id) => ledger.tasks.unblock(project, `${id}`, ann),
  close: ({ ledger, project }, id) => ledger.tasks.close(project, `${id}`, ann),
  ask: async ({ ledger, project, asked }, id, text) => {
    const given = text === undefined ? ['First?', 'Second?'] : [text];
    asked.push((await askFor(ledger, project, `${id}`, { questions: given })).id);
  },
  feedback: async ({ ledger, project, asked }, id) => {
    asked.push((await askFor(ledger, project, `${id}`, { source: 'eval' })).id);
  },
  answer: ({ ledger, project, asked }, n, given) =>
    ledger.notifications.resolve(
      project,
      asked[Number(n)] ?? 'n-0',
      answers(given as Record<string, string>),
      ann,
    ),
  withdraw: ({ ledger, project, asked }, n) =>
    ledger.notifications.withdraw(project, asked[Number(n)] ?? '', 'cleared', ann),
};

describe('vectors of questions, answers and tasks', () => {
  eachStore((store) => {
    it.each(flow)('LED-4 LED-6 LED-7 LED-8 $name', async (vector) => {
      const play: Play = { ...(await store.start()), asked: [] };
      expect(await lastRefusal(play, vector.steps)).toBe(vector.refused);
      const { ledger, project } = play;
      if (vector.task) expect(await ledger.tasks.get(project, 'a')).toMatchObject(vector.task);
      expect(await readyIds(ledger, project)).toEqual(vector.ready);
      expect(await ledger.notifications.count(['open'], project)).toBe(vector.open);
      if (vector.said)
        expect((await ledger.tasks.chat(project, 'a')).map((m) => m.text)).toEqual(vector.said);
    });
  });
});

/** Only the last step may be refused. */
async function lastRefusal(play: Play, steps: unknown[][]): Promise<string | undefined> {
  for (const [n, [name, ...given]] of steps.entries()) {
    try {
      await deeds[`${name}`]?.(play, ...given);
    } catch (error) {
      if (error instanceof FermataError && n === steps.length - 1) return error.code;
      throw error;
    }
  }
  return undefined;
}
