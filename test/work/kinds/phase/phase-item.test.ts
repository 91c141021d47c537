import { expect, test } from 'vitest';
import { renderProtocol } from '../../../../src/protocols/render.ts';
import { resolveProtocol } from '../../../../src/protocols/resolve-protocol.ts';
import { phasePrompt } from '../../../../src/work/kinds/phase/phase-item.ts';
import { freshFolder } from '../../../support/fermata.ts';

test('RUN-1 the prompt of an agent has the steps of its protocol and the INPUTS, as the seed says', async () => {
  const protocol = renderProtocol(await resolveProtocol('debugging', { folder: freshFolder() }));
  const text = phasePrompt({
    plan: 'shop',
    phase: '2',
    variant: 'A',
    title: 'Till',
    featureBranch: 'feat/shop',
    branch: 'feat/shop--implementation-2-A',
    protocol,
    text: '- [ ] Do it',
    purpose: 'work',
    decided: '',
  });
  expect(text).toContain(
    '# The protocol to follow\n\nINPUTS: {"prompt_num":"2","variant":"A","feature_branch":"feat/shop"}\n\n# debugging\n',
  );
  expect(text).toContain('[DEBUG-TEMP]');
});
