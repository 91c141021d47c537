import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedDriver } from '../../../../src/agents/claude/driver.ts';
import { ScenarioBuilder, type ScenarioHandle } from '../../../../src/testing/builder.ts';
import { DONE, type DriverUnderTest, type Plot, type PlotQuestion, type Told, type World } from '../plot.ts';

export const scripted = (version: '2.1.197' | '2.1.325'): DriverUnderTest => ({
  title: `FAKE-3 scripted, like ${version}`,
  driver: scriptedDriver,
  abilities: {
    asks: true,
    atOnce: true,
    takesBack: true,
    parks: true,
    permits: true,
    hears: true,
  },
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
    told(words) {
      const answers = handle.answers().filter((given) => given.question === words);
      if (answers.length === 0) return messages(handle).filter(({ text }) => text.includes(words));
      return answers.map(({ answer, toolUseId, how }) => ({
        text: answer,
        ...(how === 'text' ? {} : { callId: toolUseId }),
      }));
    },
    close() {
      handle.remove();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

/** What its last session was told. */
function messages(handle: ScenarioHandle): Told[] {
  const { sessionId } = handle.invocations().at(-1) ?? {};
  const entries = sessionId === undefined ? [] : handle.transcript(sessionId);
  return entries.flatMap((entry) => (entry.type === 'user' ? [{ text: entry.text }] : []));
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
