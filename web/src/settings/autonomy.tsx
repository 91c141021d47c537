import { useSignal, useSignalEffect } from '@preact/signals';
import type { AutonomyLevel, AutonomyPreset, HilConfig } from '../../../src/schema/autonomy.ts';
import { autonomySentences, presets } from '../../../src/schema/autonomy-words.ts';
import type { Project } from '../../../src/schema/project.ts';
import { hub } from '../api/hub.ts';
import { useAction } from '../state/use-action.ts';
import { useLive } from '../state/use-live.ts';
import { LoadedView } from '../ui/loaded-view.tsx';

const LEVELS = Object.keys(autonomySentences) as AutonomyLevel[];

const KINDS: { key: keyof HilConfig; title: string; about: string }[] = [
  {
    key: 'scopeChanges',
    title: 'Scope changes',
    about: 'Doing more, less or something other than the plan says',
  },
  { key: 'architectureDecisions', title: 'Architecture decisions', about: 'Choices about how it is built' },
  {
    key: 'dependencyModifications',
    title: 'Dependency modifications',
    about: 'Adding, updating or removing dependencies',
  },
];

const PRESETS: { name: AutonomyPreset; title: string }[] = [
  { name: 'confirm_all', title: 'Confirm all' },
  { name: 'major_only', title: 'Major only' },
  { name: 'full', title: 'Full autonomy' },
];

const same = (a: HilConfig, b: HilConfig) => KINDS.every(({ key }) => a[key] === b[key]);

/** How much agents of a project may do alone. */
export function Autonomy({ project }: { project: Project }) {
  const settings = useLive(project.id, 'settings', hub.settings, ['settings.updated']);
  const chosen = useSignal<Partial<HilConfig>>({});
  useSignalEffect(() => {
    // Somebody else may have changed it since.
    if (settings.value.state === 'loaded') chosen.value = {};
  });
  const { problem, run } = useAction();
  // Sends only what was changed here, because somebody else may change the rest at the same time.
  const save = (levels: Partial<HilConfig>) =>
    run(async () => {
      chosen.value = { ...chosen.peek(), ...levels };
      try {
        await hub.setAutonomy(project.id, levels);
      } catch (error) {
        chosen.value = {};
        throw error;
      }
    });
  return (
    <section>
      <h2>Agent autonomy in {project.name}</h2>
      <LoadedView value={settings.value}>
        {({ hilConfig }) => {
          const config = { ...hilConfig, ...chosen.value };
          return (
            <>
              {/* biome-ignore lint/a11y/useSemanticElements: these are buttons, not radio inputs */}
              <div class="segments" role="group" aria-label="Presets">
                {PRESETS.map(({ name, title }) => (
                  <button
                    key={name}
                    type="button"
                    aria-pressed={same(config, presets[name])}
                    onClick={() => void save(presets[name])}
                  >
                    {title}
                  </button>
                ))}
              </div>
              <div class="levels">
                {KINDS.map(({ key, title, about }) => (
                  <fieldset key={key}>
                    <legend>
                      {title} <span>{about}</span>
                    </legend>
                    {LEVELS.map((level) => (
                      <label key={level}>
                        <input
                          type="radio"
                          name={key}
                          checked={config[key] === level}
                          onChange={() => void save({ [key]: level })}
                        />
                        {autonomySentences[level]}
                      </label>
                    ))}
                  </fieldset>
                ))}
              </div>
            </>
          );
        }}
      </LoadedView>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  );
}
