import { ScenarioBuilder } from '../../src/testing/builder.ts';

export const LANGUAGE = 'Which programming language should we use?';
export const FEATURES = 'Which features do you want to enable?';
export const language = {
  id: 'language',
  question: LANGUAGE,
  header: 'Language',
  options: [
    { label: 'Rust', description: 'Fast, strict' },
    { label: 'TypeScript', description: 'Fits the repo' },
  ],
  multiSelect: false,
};
export const features = {
  id: 'features',
  question: FEATURES,
  header: 'Features',
  options: [{ label: 'Logging' }, { label: 'Metrics' }, { label: 'Tracing' }],
  multiSelect: true,
};
export const ASK = 'control_request/can_use_tool';
export const HOOK = 'control_request/hook_callback';
export const asking = () =>
  new ScenarioBuilder()
    .respondsWithText('I need two decisions before I start.')
    .asksQuestions([language, features], { toolUseId: 'toolu_ask_0001' })
    .respondsWithText('Building it in {{answer:language}} with {{answer:features}}.');
