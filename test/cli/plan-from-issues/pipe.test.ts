import { describe, expect, test } from 'vitest';
import { QAQuestion } from '../../../src/schema/qa.ts';
import { fermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { pipeParent } from '../../support/pipe-parent.ts';
import { type Library, LONG, library, QUESTIONS } from './support/place.ts';

const sleepless = { FERMATA_QA_TIMEOUT: '120' };

const parentOf = (at: Library, args: string[] = [], env: Record<string, string> = {}) =>
  pipeParent([...at.command, ...args], { cwd: at.cwd, env: { ...at.env, ...env } });

describe('plan-from-issues over a pipe', { timeout: LONG }, () => {
  test('PIPE-2 PIPE-3 PIPE-5 asks one question at a time, accepts answers in any chunks, and prints only questions to stdout', async () => {
    const at = library();
    const parent = parentOf(at, ['--json'], sleepless);
    const asked = [];
    for (let number = 0; number < QUESTIONS; number++) {
      const { id, gap_type, timeout } = await parent.next();
      expect(timeout).toBe(120);
      asked.push(id);
      const line = `${JSON.stringify({ gap_type, answer: `Größe 東京 🎼 ${number}` })}\n`;
      if (number !== 2) parent.child.stdin.write(line);
      else for (const byte of Buffer.from(line)) parent.child.stdin.write(Uint8Array.of(byte));
    }
    const { code, stdout, stderr } = await parent.ended;
    expect(code).toBe(0);
    const lines = stdout.split('\n').filter(Boolean);
    expect(lines.map((line) => QAQuestion.parse(JSON.parse(line)).id)).toEqual(asked);
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? ''), 'the result is on stderr').toMatchObject({
      audited: true,
      questions: asked.map((id, number) => ({ id, answer: `Größe 東京 🎼 ${number}` })),
    });
    expect(at.auditErrors()).toEqual([]);
    const { notifications } = await at.inLedger((ledger) =>
      ledger.notifications.list({ status: ['delivered'] }),
    );
    expect(notifications.map(({ resolvedBy }) => resolvedBy?.channel)).toEqual(asked.map(() => 'pipe'));
  });

  longTest(
    'PIPE-5 accepts all answers in one write before the first question, followed by the end of input',
    async () => {
      const at = library();
      const questions = at.questions();
      const parent = parentOf(at, [], sleepless);
      parent.child.stdin.end(
        questions
          .map(({ gap_type }, number) => `${JSON.stringify({ gap_type, answer: `all ${number}` })}\n`)
          .join(''),
      );
      const { code } = await parent.ended;
      expect(code).toBe(0);
      for (let number = 0; number < QUESTIONS; number++) expect(at.read()).toContain(`**all ${number}**`);
    },
  );

  test('BIND-17 PIPE-4 PIPE-7 PIPE-8 without a terminal, a question stays open after its timeout, and a late answer needs its id', async () => {
    const at = library();
    const parent = parentOf(at, ['--max-questions', '3'], { DEBUSSY_QA_TIMEOUT: '3' });
    const first = await parent.next();
    const second = await parent.next();
    parent.say({ gap_type: second.gap_type, answer: 'in time' });
    const third = await parent.next();
    parent.say({ gap_type: 'general', answer: 'for whom?' });
    await parent.told(
      new RegExp(`Answer refused.*Send the id of an open question:\\n  ${first.id}: .*\\n  ${third.id}: `),
    );
    parent.say({ gap_type: first.gap_type, id: first.id, answer: 'late' });
    await parent.told(new RegExp(`Stored the late answer to ${first.id}`));
    parent.say({ gap_type: third.gap_type, id: third.id, answer: 'third' });
    const { code, stderr } = await parent.ended;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/No answer within 3 s\. .*fermata answer n-/)]);
    expect(at.read()).toMatch(/\*\*late\*\*[\s\S]*\*\*in time\*\*[\s\S]*\*\*third\*\*/);
    expect(at.read()).not.toMatch(/Not answered yet/);
  });

  test.each([
    ['of two types', 'validation-7', ['validation-7']],
    ['of one type', 'acceptance_criteria-4', ['acceptance_criteria-4', 'acceptance_criteria-5']],
  ])(
    'BIND-17 PIPE-8 the loop of the seed, with a person who is late, for two questions %s: no answer lands on another',
    async (_, slow, open) => {
      const at = library();
      const parent = parentOf(at, ['--max-questions', '3'], { DEBUSSY_QA_TIMEOUT: '2' });
      const texts = new Map<string, string>();
      const { code, stderr } = await parent.likeTheSeed(async ({ id, question }) => {
        texts.set(id, question);
        if (id === slow) await parent.asked(texts.size + 1);
        return `for ${question}`;
      });
      expect(code, stderr).toBe(0);
      expect(stderr.match(/Answer refused/g)).toHaveLength(open.length);
      for (const id of open)
        expect(stderr).toMatch(new RegExp(`Send the id of an open question:(\\n  .*)*\\n  ${id}: `));
      const { notifications } = await at.inLedger((ledger) =>
        ledger.notifications.list({ status: ['delivered', 'open'] }),
      );
      const late = open.map((id) => texts.get(id));
      for (const { questions, responses } of notifications) {
        const text = questions[0]?.text;
        const answers = responses.map((response) => 'answer' in response && response.answer);
        expect(answers).toEqual(late.includes(text) ? [] : [`for ${text}`]);
      }
      const left = await at.inbox();
      expect(left).toHaveLength(open.length);
      expect(await at.fermata('answer', left[0]?.id ?? '', 'later')).toMatchObject({ code: 0 });
    },
  );

  longTest(
    'BIND-17 each offered option can be sent back unchanged, and there are two to four or none',
    async () => {
      const at = library();
      const parent = parentOf(at, ['--json'], sleepless);
      const sent = [];
      for (let number = 0; number < QUESTIONS; number++) {
        const { id, gap_type, options } = await parent.next();
        expect([0, 2, 3, 4]).toContain(options.length);
        expect(options.filter((option) => option.endsWith('…'))).toEqual([]);
        const answer = options[number % Math.max(1, options.length)] ?? 'own words';
        sent.push({ id, answer });
        parent.say({ id, gap_type, answer });
      }
      const { code, stderr } = await parent.ended;
      expect(code).toBe(0);
      expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ questions: sent });
    },
  );

  test('PIPE-7 PIPE-9 after no JSON, the wrong form or a line over 1 MiB the question stays open, and the next one is asked', async () => {
    const at = library();
    const unusable: Record<string, string> = {
      'validation-7': 'sure, why not',
      'acceptance_criteria-4': '{"type":"answer","gap_type":"acceptance_criteria","answer":42}',
      'tech_stack-3': `{"type":"answer","gap_type":"tech_stack","answer":"${'x'.repeat(1024 * 1024)}"}`,
    };
    const parent = parentOf(at, ['--max-questions', '6'], sleepless);
    for (let number = 0; number < 6; number++) {
      const { id, gap_type } = await parent.next();
      if (unusable[id]) parent.child.stdin.write(`${unusable[id]}\n`);
      else parent.say({ id, gap_type, answer: 'fine' });
    }
    const { code, stderr } = await parent.ended;
    expect(code).toBe(0);
    const open = await at.inbox();
    expect(open).toHaveLength(3);
    for (const id of Object.keys(unusable))
      expect(stderr).toContain(`Question ${id} stays open: fermata answer n-`);
    expect(at.read().match(/\*\*fine\*\*/g)).toHaveLength(3);
    expect(at.read().match(/\(Not answered yet: n-/g)).toHaveLength(3);
  });

  longTest(
    'PIPE-7 after the end of input it does not wait, and no answer is lost; --require-answers exits with 3',
    async () => {
      const at = library();
      const parent = parentOf(at, ['--require-answers'], sleepless);
      const { gap_type } = await parent.next();
      parent.say({ gap_type, answer: 'kept' });
      await parent.next();
      parent.child.stdin.end();
      const { code, stdout } = await parent.ended;
      expect([code, stdout.split('\n').filter(Boolean).length]).toEqual([3, 2]);
      expect(await at.inbox()).toHaveLength(QUESTIONS - 1);
      expect((await at.fermata('decisions', '--json')).stdout).toContain('kept');
    },
  );

  longTest('PIPE-7 a parent that no longer reads does not stop the command', async () => {
    const at = library();
    const parent = parentOf(at, [], { FERMATA_QA_TIMEOUT: '1' });
    parent.child.stdout.destroy();
    const { code } = await parent.ended;
    expect(code).toBe(0);
    expect(await at.inbox()).toHaveLength(QUESTIONS);
    expect(at.read()).toContain('Not answered yet');
  });

  test('PIPE-1 BIND-17 there is a pipe only if its variable is 1, and any other value is reported', async () => {
    const at = library();
    const env = { ...at.env, DEBUSSY_QA_PIPE: 'true' };
    const { code, stdout, stderr } = await fermata([...at.command, '--require-answers'], {
      cwd: at.cwd,
      env,
    });
    expect([code, stdout, stderr]).toEqual([3, '', expect.stringContaining('DEBUSSY_QA_PIPE is "true"')]);
  });

  longTest('PIPE-6 an invalid timeout is reported, and 30 seconds are used', async () => {
    const parent = parentOf(library(), ['--require-answers'], { FERMATA_QA_TIMEOUT: 'soon' });
    expect((await parent.next()).timeout).toBe(30);
    await parent.told(/FERMATA_QA_TIMEOUT: "soon" is not a number of seconds; using 30/);
    parent.child.stdin.end();
    await parent.ended;
  });

  longTest(
    'CHAN-2 if a question is answered elsewhere while the pipe waits, the next one is asked, and the parent learns who was first',
    async () => {
      const at = library();
      const parent = parentOf(at, ['--max-questions', '2'], sleepless);
      const first = await parent.next();
      const [open] = await at.inbox();
      expect((await at.fermata('answer', open?.id ?? '', 'from the command')).code).toBe(0);
      const second = await parent.next();
      parent.say({ gap_type: first.gap_type, id: first.id, answer: 'from the parent' });
      await parent.told(/Not stored: Question n-\w+ was already settled by tester \(command\)/);
      parent.say({ gap_type: second.gap_type, answer: 'fine' });
      expect((await parent.ended).code).toBe(0);
      expect(at.read()).toContain('**from the command**');
      expect(at.read()).not.toContain('from the parent');
      const lost = await at.fermata('answer', open?.id ?? '', 'too late');
      expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('from the command')]);
    },
  );

  longTest(
    'CHAN-2 the pipe and a command race for each question: one answer is stored, and the plan has that one',
    async () => {
      const at = library();
      const parent = parentOf(at, ['--max-questions', '3', '--json'], sleepless);
      const commands = [];
      for (let number = 0; number < 3; number++) {
        const { id, gap_type, question } = await parent.next();
        const open = (await at.inbox()).find((each) => each.questions[0]?.text === question);
        commands.push(at.fermata('answer', open?.id ?? '', `command ${number}`));
        parent.say({ id, gap_type, answer: `pipe ${number}` });
      }
      expect((await parent.ended).code).toBe(0);
      const codes = (await Promise.all(commands)).map(({ code }) => code);
      codes.forEach((code, number) => {
        expect(at.read()).toContain(code === 0 ? `**command ${number}**` : `**pipe ${number}**`);
        expect(at.read()).not.toContain(code === 0 ? `**pipe ${number}**` : `**command ${number}**`);
      });
    },
  );

  longTest('PIPE-7 kill -9 between questions: started again, only the rest is asked', async () => {
    const at = library();
    const killed = parentOf(at, [], sleepless);
    for (const answer of ['one', 'two']) {
      const { gap_type } = await killed.next();
      killed.say({ gap_type, answer });
    }
    const third = await killed.next();
    killed.child.kill('SIGKILL');
    await killed.ended;
    const again = parentOf(at, [], sleepless);
    const asked = [];
    for (let number = 2; number < QUESTIONS; number++) {
      const { id, gap_type } = await again.next();
      asked.push(id);
      again.say({ gap_type, answer: `then ${number}` });
    }
    expect((await again.ended).code).toBe(0);
    expect(asked[0]).toBe(third.id);
    expect(at.read()).toMatch(/\*\*one\*\*[\s\S]*\*\*two\*\*[\s\S]*\*\*then 6\*\*/);
    expect(await at.inbox()).toEqual([]);
  });

  longTest('CLI-EXIT-130 SIGTERM keeps the answers so far', async () => {
    const at = library();
    const parent = parentOf(at, [], sleepless);
    const { gap_type } = await parent.next();
    parent.say({ gap_type, answer: 'kept' });
    await parent.next();
    parent.child.kill('SIGTERM');
    const { code, stderr } = await parent.ended;
    expect([code, stderr]).toEqual([130, expect.stringMatching(/Run the same command again/)]);
    expect(await at.inbox()).toHaveLength(QUESTIONS - 1);
  });

  test('an agent may not answer its own questions over a pipe', async () => {
    const at = library();
    const env = { ...at.env, FERMATA_QA_PIPE: '1', FERMATA_AGENT: 'claude' };
    const { code, stdout, stderr } = await fermata(at.command, { cwd: at.cwd, env });
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/may ask but not answer/)]);
    expect(await at.inbox()).toEqual([]);
  });

  test('stdin cannot be both the issues and the pipe', async () => {
    const at = library();
    const env = { ...at.env, FERMATA_QA_PIPE: '1' };
    const args = ['plan-from-issues', '--from-file', '-'];
    expect(await fermata(args, { cwd: at.cwd, env })).toMatchObject({ code: 2, stdout: '' });
  });
});
