import { describe, expect, it } from 'vitest';
import { parseHilConfig, presetOf } from '../../src/ledger/decisions/autonomy.ts';
import { autonomySentences, defaultHilConfig, presets } from '../../src/schema/autonomy-words.ts';
import { FermataError } from '../../src/schema/error.ts';
import { history, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const levels = (scope: string, architecture: string, dependencies: string) => ({
  scopeChanges: scope,
  architectureDecisions: architecture,
  dependencyModifications: dependencies,
});
const [auto, notify, approve] = ['automated', 'notify_and_proceed', 'requires_approval'] as const;

describe('hilConfig', () => {
  it('LED-10 has the three sentences word for word', () => {
    expect(autonomySentences).toEqual({
      automated: 'Full autonomy: proceed without confirmation',
      notify_and_proceed: 'Notify user but proceed',
      requires_approval: 'Confirm all changes before proceeding',
    });
  });

  it('LED-10 by default, asks about scope and architecture and gives notice of dependencies', () => {
    expect(defaultHilConfig).toEqual(levels(approve, approve, notify));
  });

  it.each([
    ['confirm_all', levels(approve, approve, approve)],
    ['major_only', levels(approve, approve, auto)],
    ['full', levels(auto, auto, auto)],
  ] as const)('LED-10 %s is a preset', (name, config) => {
    expect(presets[name]).toEqual(config);
    expect(parseHilConfig(name)).toEqual(config);
    expect(presetOf(parseHilConfig(config))).toBe(name);
  });

  it.each([levels(notify, notify, notify), levels(approve, auto, auto), levels(approve, approve, notify)])(
    'LED-10 the mixture %j is kept and never shown as a preset',
    (mixture) => {
      expect(parseHilConfig(mixture)).toEqual(mixture);
      expect(presetOf(parseHilConfig(mixture))).toBe('custom');
    },
  );

  it('LED-10 missing keys keep their value', () => {
    expect(parseHilConfig({ scopeChanges: auto })).toEqual(levels(auto, approve, notify));
    expect(parseHilConfig({ scopeChanges: auto }, presets.full)).toEqual(presets.full);
    expect(parseHilConfig({})).toEqual(defaultHilConfig);
  });

  it.each([
    [
      { scopeChanges: 'sometimes' },
      'hilConfig.scopeChanges: unknown level "sometimes". The levels are automated, notify_and_proceed, requires_approval.',
    ],
    [
      { scopeChange: auto },
      'hilConfig: unknown key "scopeChange". The keys are scopeChanges, architectureDecisions, dependencyModifications.',
    ],
    [
      'yolo',
      'hilConfig: unknown preset "yolo". Use confirm_all, major_only, full, or a level for each of scopeChanges, architectureDecisions, dependencyModifications.',
    ],
    [
      ['full'],
      'hilConfig must be the name of a preset or an object with scopeChanges, architectureDecisions, dependencyModifications.',
    ],
    [
      { scopeChanges: null },
      'hilConfig.scopeChanges: unknown level null. The levels are automated, notify_and_proceed, requires_approval.',
    ],
  ])('LED-10 %j is refused with the valid values', (input, sentence) => {
    expect(() => parseHilConfig(input)).toThrow(new FermataError('invalid', sentence));
  });

  eachStore((store) => {
    it('LED-10 is stored per project, and survives the process', async () => {
      const { ledger, project } = await store.start();
      const other = await store.project(ledger);
      await ledger.projects.setHilConfig(project, levels(notify, notify, notify), ann);
      await ledger.close();
      const later = await store.open();
      expect(await later.projects.hilConfig(project)).toEqual(levels(notify, notify, notify));
      expect(await later.projects.hilConfig(other)).toEqual(defaultHilConfig);
      expect(await later.projects.get(other)).toMatchObject({ hilConfig: null });
    });

    it('LED-10 a change keeps the levels that it does not name, and is an event with its actor', async () => {
      const { ledger, project } = await store.start();
      await ledger.projects.setHilConfig(project, 'full', ann);
      await ledger.projects.setHilConfig(project, { scopeChanges: approve }, ann);
      await ledger.projects.setHilConfig(project, { scopeChanges: approve }, ann); // nothing changes
      expect(await history(ledger, project)).toMatchObject([
        { type: 'settings.updated', by: ann, data: { hilConfig: levels(auto, auto, auto) } },
        { type: 'settings.updated', by: ann, data: { hilConfig: levels(approve, auto, auto) } },
      ]);
    });

    it('LED-10 an unknown level is refused, and what was set stays', async () => {
      const { ledger, project } = await store.start();
      await ledger.projects.setHilConfig(project, 'confirm_all', ann);
      const attempt = ledger.projects.setHilConfig(
        project,
        { scopeChanges: auto, architectureDecisions: 'no' },
        ann,
      );
      expect(await refusal(attempt)).toMatchObject({ code: 'invalid' });
      expect(await ledger.projects.hilConfig(project)).toEqual(presets.confirm_all);
    });

    it('LED-10 an agent may not change it', async () => {
      const { ledger, project } = await store.start();
      const attempt = ledger.projects.setHilConfig(project, 'full', coder);
      expect(await refusal(attempt)).toMatchObject({ code: 'forbidden' });
      expect(await ledger.projects.hilConfig(project)).toEqual(defaultHilConfig);
      expect(await history(ledger, project)).toEqual([]);
    });
  });
});
