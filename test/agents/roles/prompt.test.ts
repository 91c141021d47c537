import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rolePrompt } from '../../../src/agents/roles/prompt.ts';
import { type RoleName, roles } from '../../../src/agents/roles/role.ts';
import type { HilConfig } from '../../../src/schema/autonomy.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { freshPlace } from '../../work/support/repository.ts';

const hilConfig: HilConfig = {
  scopeChanges: 'requires_approval',
  architectureDecisions: 'automated',
  dependencyModifications: 'notify_and_proceed',
};
const values = { input: 'THE INPUT', known: 'THE STACK', section: 'S', current: 'C', mostTasks: '15' };
const history = [
  {
    questions: [
      { id: 'a', text: 'Which?' },
      { id: 'b', text: 'Why?' },
    ],
    responses: [{ questionId: 'a', kind: 'answered', answer: ['X', 'Y'], note: 'soon' }],
    outcome: 'withdrawn',
    reason: 'too late',
  },
] as unknown as Notification[];

describe.each(Object.keys(roles) as RoleName[])('the prompt of the %s', (role) => {
  it('ROLE-1 LED-10 names the question format, when to ask, and the sentences of the project word for word', () => {
    const prompt = rolePrompt({ role, root: freshPlace(), hilConfig, history: [], values });
    expect(prompt).toContain('THE INPUT');
    expect(prompt).toContain('THE STACK');
    expect(prompt).toContain('# When to ask');
    expect(prompt).toContain('{"open_questions": [{"id": "q1", "text": ');
    expect(prompt).toContain('- Scope changes: Confirm all changes before proceeding\n');
    expect(prompt).toContain('- Architecture decisions: Full autonomy: proceed without confirmation\n');
    expect(prompt).toContain('- Dependency modifications: Notify user but proceed\n');
    expect(prompt).not.toMatch(/\{\{\w+\}\}|already asked/);
  });

  it('ROLE-2 has everything that was asked and answered', () => {
    const prompt = rolePrompt({ role, root: freshPlace(), hilConfig, history, values });
    expect(prompt).toContain('Q: Which?\nA: X, Y\nNote: soon');
    expect(prompt).toContain('Q: Why?\nA: The question was withdrawn: too late.');
  });

  it('ROLE-1 may be the project’s own; one that cannot be used is named', () => {
    const root = freshPlace();
    const folder = join(root, '.claude/fermata/prompts');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${role}.md`);
    writeFileSync(file, 'Own words. {{autonomy}}');
    const prompt = rolePrompt({ role, root, hilConfig, history, values });
    expect(prompt).toMatch(/^Own words\. # How much[\s\S]*# How to ask[\s\S]*Q: Which\?/);
    writeFileSync(file, 'x'.repeat(300_000));
    expect(() => rolePrompt({ role, root, hilConfig, history, values })).toThrow(
      `${role}.md is not a file of at most 262144 bytes`,
    );
  });
});
