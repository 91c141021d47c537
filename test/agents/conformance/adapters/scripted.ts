import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedDriver } from '../../../../src/agents/claude/driver.ts';
import { ScenarioBuilder } from '../../../../src/testing/builder.ts';
import { DONE, type DriverUnderTest, type Plot, type PlotQuestion, type World } from '../plot.ts';

export const scripted = (version: '2.1.197' | '2.1.325'): DriverUnderTest => ({
  title: `FAKE-3 scripted, like ${version}`,
  driver: scriptedDriver,
  abilities: { asks: true, atOnce: true, takesBack: true, parks: true, permits: true },
  savedAfterMs: 0,
  async open(play) {
    if (typeof play === 'string') throw new Error(`The scripted agent does not play "${play}".`);
    return openWorld(play, version);
  },
});

function openWorld(plot: Plot, version: '2.1.197' | '2.1.325'): World {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-conformance-')));
  const handle = scenario(plot).behavesLike(version).build();
  return {
    setup: { cwd, env: { PATH: process.env.PATH, ...handle.env }, mustAsk: true, timeoutMs: 60_000 },
    told: (question) =>
      handle
        .answers()
        .filter((given) => given.question === question)
        .map(({ answer, toolUseId, how }) => ({
          text: answer,
          ...(how === 'text' ? {} : { callId: toolUseId }),
        })),
    close() {
      handle.remove();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

function scenario(plot: Plot): ScenarioBuilder {
  const builder = new ScenarioBuilder();
  for (const round of plot) {
    if ('ask' in round) builder.asksAtOnce(...round.ask.map((questions) => questions.map(scriptedQuestion)));
    else if ('takeBack' in round)
      builder.asksQuestions([scriptedQuestion(round.takeBack)], { takeBackAfterMs: 50 });
    else builder.runs(round.run, { permission: true });
  }
  return builder.respondsWithText(DONE);
}

const scriptedQuestion = ({ question, header, options, multi = false }: PlotQuestion) => ({
  question,
  header,
  multiSelect: multi,
  options: options.map((label) => ({ label, description: `${label} it is` })),
});
