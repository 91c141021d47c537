import { codexDriver } from '../../../../src/agents/codex/driver.ts';
import { codexHome } from '../../../support/model/cli-home.ts';
import { functionCall, message, type OpenAiReply } from '../../../support/model/openai-reply.ts';
import { type OpenAiRequest, userTexts } from '../../../support/model/openai-request.ts';
import { startOpenAi } from '../../../support/model/openai-responses.ts';
import { CODEX, type CODEXES, realCli } from '../../clis/real-cli.ts';
import { type CodexName, escalated, hasCalled, spawn } from '../../codex/scene.ts';
import { PROMPT } from '../hands.ts';
import { moody, well } from '../mood.ts';
import { DONE, type DriverUnderTest, MADE_BY_SUB_AGENT, type PlotQuestion, type Told } from '../plot.ts';
import { besideSubAgent, described, HALF, playing, textOf, type Wording, worldOf } from './real-agent.ts';

/** The real Codex, with a scripted model behind it. */
export const codex = (
  name: CodexName,
  find: (skip: (note: string) => never) => Promise<string>,
): DriverUnderTest => ({
  title: `DRV-7 the real ${name}`,
  recordedAs: name,
  driver: codexDriver,
  // Older versions handle calls one after the other.
  abilities: {
    asks: true,
    atOnce: name === CODEX,
    takesBack: false,
    parks: false,
    permits: true,
    hears: true,
    hearsAtEnd: name === CODEX,
    subAgents: true,
    fails: true,
  },
  savedAfterMs: 500,
  async open(play, skip) {
    const program = await find(skip);
    const mood = well();
    const sendOut = (callId: string, brief: string) => spawn(name, callId, brief);
    const script = typeof play === 'string' ? subAgentOf(name) : playing(play, wording);
    const model = await startOpenAi(
      play === 'beside a sub-agent'
        ? besideSubAgent(mood, wording, sendOut)
        : moody(mood, message(HALF), script),
    );
    return worldOf(program, codexHome(model.url), model, told, mood);
  },
});

/** One of the versions that the tests install. */
export const installedCodex = (
  name: (typeof CODEXES)[number],
  shared: Pick<DriverUnderTest, 'inLong' | 'endings'>,
) => ({
  ...codex(name, (skip) => realCli(name, skip)),
  ...shared,
});

export const wording: Wording<OpenAiRequest, OpenAiReply> = {
  callName: (round, call) => `call_${round}_${call}`,
  say: message,
  run: escalated,
  ask: (calls) =>
    calls.map(({ callId, questions }) =>
      functionCall(callId, 'ask_human', { questions: questions.map(codexQuestion) }),
    ),
  told,
};

/** The agent ends its turn at once; its sub-agent asks for a command afterwards. */
function subAgentOf(name: CodexName): (request: OpenAiRequest) => OpenAiReply {
  return (request) => {
    if (userTexts(request).some((words) => words.includes(PROMPT)))
      return hasCalled(request, 'call_spawn') ? message(DONE) : spawn(name, 'call_spawn', 'Make the file.');
    const make = `touch ${MADE_BY_SUB_AGENT}`;
    return hasCalled(request, 'call_sub') ? message('I am done.') : escalated('call_sub', make);
  };
}

const codexQuestion = ({ question, header, options, multi = false }: PlotQuestion) => ({
  question,
  header,
  multi,
  options: described(options),
});

function told(request: OpenAiRequest): Told[] {
  return request.input.flatMap((item): Told[] => {
    if (item.type.endsWith('call_output')) return [{ text: textOf(item.output), callId: item.call_id }];
    return item.role === 'user' ? [{ text: textOf(item.content) }] : [];
  });
}
