/** Commands of the pages that the test does not run: how they begin, and why. */
export const notRun: [command: string, reason: string][] = [
  ['npm run ', 'installs, builds or takes long: test/house/setup.test.ts'],
  ['npm link', 'changes the programs of this machine'],
  ['npm test  ', 'is what runs this test'],
  ['npm test --', 'is what runs this test'],
  ['claude ', 'changes the settings of a real agent, or needs its login'],
  ['fermata connect', 'changes the settings of a real agent: test/sessions/connect.test.ts'],
  ['codex ', 'changes the settings of a real agent, or needs its login'],
  ['fermata plan-from-issues --repo', 'reads GitHub: test/cli/plan-from-issues'],
  ['fermata run plans/v2', 'goes on with a plan from GitHub'],
  ['fermata serve --open', 'opens a browser and runs until Ctrl-C: test/cli/serve.test.ts'],
  ['fermata tasks work greet', 'needs an answer for this very task: test/cli/tasks-work.test.ts'],
  ['fermata worker', 'runs until Ctrl-C: test/cli/worker.test.ts'],
  ['fermata events --follow', 'runs until Ctrl-C: test/cli/events.test.ts'],
  ['fermata convert ', 'needs an answer for this very plan: test/cli/convert.test.ts'],
  ['rslph plan "A shop"', 'needs an answer for this very idea: test/cli/draft.test.ts'],
  ['fermata run plans/login --sandbox', 'needs bubblewrap: test/cli/run/sandbox.test.ts'],
];
