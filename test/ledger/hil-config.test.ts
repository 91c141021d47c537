import { describe, expect, it } from 'vitest';
import { ask } from './support/ask.ts';
import { ann } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const file = (content: object) => [{ name: 'config', content: JSON.stringify(content) }];
const scopeQuestion = {
  id: 'q',
  text: 'Add a page?',
  category: 'scope',
  options: [{ label: 'Yes' }],
  recommended: 'Yes',
};

describe('how much agents may do alone', () => {
  eachStore((store) => {
    it("BIND-10 a person's own levels go before the trusted file, which goes before the default", async () => {
      const { ledger, project } = await store.start();
      await ledger.trust.accept(project, file({ hilConfig: 'full' }), ann);
      await ledger.projects.setHilConfig(project, { scopeChanges: 'requires_approval' }, ann);
      expect(await ledger.projects.hilConfig(project)).toEqual({
        scopeChanges: 'requires_approval',
        architectureDecisions: 'automated',
        dependencyModifications: 'automated',
      });
      await ledger.trust.revoke(project, 'config', ann);
      expect(await ledger.projects.hilConfig(project)).toEqual({
        scopeChanges: 'requires_approval',
        architectureDecisions: 'requires_approval',
        dependencyModifications: 'notify_and_proceed',
      });
    });

    it('BIND-10 only a trusted file lets a question be answered automatically', async () => {
      const { ledger, project } = await store.start();
      const first = await ask(ledger, project, { questions: [scopeQuestion] });
      expect(first.status).toBe('open');
      await ledger.trust.accept(project, file({ hilConfig: 'full' }), ann);
      const second = await ask(ledger, project, { sourceId: 'plan-2', questions: [scopeQuestion] });
      expect(second.status).toBe('answered');
    });

    it('BIND-10 a trusted file with keys of a newer version sets nothing', async () => {
      const { ledger, project } = await store.start();
      const before = await ledger.projects.hilConfig(project);
      await ledger.trust.accept(project, file({ hilConfig: 'full', later: 1 }), ann);
      expect(await ledger.projects.hilConfig(project)).toEqual(before);
    });
  });
});
