import { describe, expect, test } from 'vitest';
import { outline } from '../../src/cli/plan-command.ts';
import { fermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { inTerminal } from '../support/pty.ts';
import { planRepository } from './run/support/plan-repository.ts';

describe('the output of a plan command for a person', () => {
  test('lists its data by name, nested data indented, and nothing that controls the terminal', () => {
    const data = {
      files_modified: 2,
      success: true,
      left: [],
      next: [{ id: '1', title: 'A \u001b[2Jtable', variant: null }, 'b'],
      text: 'two\nlines',
      unset: undefined,
    };
    expect(outline(data)).toEqual([
      'files modified: 2',
      'success: yes',
      'left: none',
      'next:',
      '  - id: 1',
      '    title: A ␛[2Jtable',
      '    variant: –',
      '  - b',
      'text:',
      '  two',
      '  lines',
    ]);
  });

  longTest(
    'CLI-plan-next is text at a terminal, even an error; elsewhere, or on request, it is JSON',
    async () => {
      const { at } = planRepository([{ id: '1' }]);
      const shown = inTerminal(['plan', 'next', 'plans/shop'], at);
      expect(await shown.ended).toBe(0);
      expect(shown.screen()).toMatch(/id: 1\r?\n/);
      expect(shown.screen()).not.toContain('{');
      const refused = inTerminal(['plan', 'next', 'plans/none'], at);
      expect(await refused.ended).toBe(1);
      expect(refused.screen()).toContain('fermata: MASTER_PLAN.md not found in plans/none.');
      expect(refused.screen()).not.toContain('{');
      const wanted = inTerminal(['--json', 'plan', 'next', 'plans/shop'], at);
      expect(await wanted.ended).toBe(0);
      expect(JSON.parse(wanted.screen())).toMatchObject({ status: 'success' });
      const piped = await fermata(['plan', 'next', 'plans/shop'], at);
      expect(JSON.parse(piped.stdout)).toMatchObject({ status: 'success' });
    },
  );
});
