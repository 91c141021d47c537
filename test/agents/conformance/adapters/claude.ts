import { claudeDriver } from '../../../../src/agents/claude/driver.ts';
import { startAnthropic } from '../../../support/model/anthropic.ts';
import { type AnthropicReply, text, toolUse } from '../../../support/model/anthropic-reply.ts';
import type { AnthropicRequest } from '../../../support/model/anthropic-request.ts';
import { type CliHome, claudeHome } from '../../../support/model/cli-home.ts';
import type { Script } from '../../../support/model/script.ts';
import { bash, subAgent, threads } from '../../claude/real-scene.ts';
import { type CLAUDES, realCli } from '../../clis/real-cli.ts';
import { LANGUAGE } from '../hands.ts';
import { type Mood, moody, well } from '../mood.ts';
import {
  DONE,
  type DriverUnderTest,
  MADE_BY_SUB_AGENT,
  type Play,
  type PlotQuestion,
  type Told,
} from '../plot.ts';
import { besideSubAgent, described, HALF, playing, textOf, type Wording, worldOf } from './real-agent.ts';

/** The real Claude Code, with a scripted model behind it. */
export const claude = (
  name: string,
  find: (skip: (note: string) => never) => Promise<string>,
): DriverUnderTest => ({
  title: `DRV-7 the real ${name}`,
  recordedAs: name,
  driver: claudeDriver(),
  abilities: {
    asks: true,
    atOnce: true,
    takesBack: false,
    parks: true,
    permits: true,
    hears: true,
    hearsAtEnd: true,
    background: true,
    subAgents: true,
    fails: true,
  },
  savedAfterMs: 1500,
  async open(play, skip) {
    const program = await find(skip);
    const mood = well();
    const script =
      typeof play === 'string' ? plays[play](mood) : moody(mood, text(HALF), playing(play, wording));
    const model = await startAnthropic(script);
    return worldOf(program, tryingFourTimes(claudeHome(model.url)), model, told, mood);
  },
});

/** Makes it fail after four tries instead of half an hour. */
const tryingFourTimes = (home: CliHome) => ({ ...home, env: { ...home.env, CLAUDE_CODE_MAX_RETRIES: '4' } });

/** One of the versions that the tests install. */
export const installedClaude = (
  name: (typeof CLAUDES)[number],
  shared: Pick<DriverUnderTest, 'inLong' | 'endings'>,
) => ({
  ...claude(name, (skip) => realCli(name, skip)),
  ...shared,
});

export const wording: Wording<AnthropicRequest, AnthropicReply> = {
  callName: (round, call) => `toolu_${round}_${call}`,
  say: text,
  run: (callId, command) => toolUse(callId, 'Bash', { command, description: 'make a file' }),
  ask: (calls) =>
    calls.map(({ callId, questions }) =>
      toolUse(callId, 'AskUserQuestion', { questions: questions.map(claudeQuestion) }),
    ),
  told,
};

/** What the model says, request by request. */
const plays: Record<Extract<Play, string>, (mood: Mood) => Script<AnthropicRequest, AnthropicReply>> = {
  'background command': () => [
    bash('toolu_background', 'sleep 1', true),
    text('I wait.'),
    toolUse('toolu_ask', 'AskUserQuestion', { questions: [claudeQuestion(LANGUAGE)] }),
    text(DONE),
  ],
  'sub-agent': () =>
    threads({
      SUB: [bash('toolu_sub', `touch ${MADE_BY_SUB_AGENT}`), text('I am done.')],
      main: [subAgent('toolu_agent', 'SUB'), text('I wait.'), text(DONE)],
    }),
  'beside a sub-agent': (mood) => besideSubAgent(mood, wording, subAgent),
};

const claudeQuestion = ({ question, header, options, multi = false }: PlotQuestion) => ({
  question,
  header,
  multiSelect: multi,
  options: described(options),
});

function told(request: AnthropicRequest): Told[] {
  // A message that came while the agent worked is among the reminders of the system.
  const blocks = request.messages
    .filter(({ role }) => role !== 'assistant')
    .flatMap(({ content }) => content);
  return blocks.flatMap((block): Told[] => {
    if (block.type === 'text') return [{ text: block.text ?? '' }];
    if (block.type !== 'tool_result') return [];
    return [{ text: textOf(block.content), callId: block.tool_use_id }];
  });
}
