import { codexDriver } from '../../../../../src/agents/drivers/codex/driver.ts';
import { codexHome } from '../../../../support/model/cli-home.ts';
import { functionCall, message, type OpenAiReply } from '../../../../support/model/openai-reply.ts';
import type { OpenAiRequest } from '../../../../support/model/openai-request.ts';
import { startOpenAi } from '../../../../support/model/openai-responses.ts';
import { CODEX, realCli } from '../../../clis/real-cli.ts';
import type { DriverUnderTest, PlotQuestion, Told } from '../plot.ts';
import { described, playing, textOf, type Wording, worldOf } from './real-agent.ts';

/** The real Codex, with a scripted model behind it. */
export const codex: DriverUnderTest = {
  title: `DRV-7 the real ${CODEX}`,
  driver: codexDriver,
  abilities: { asks: true, atOnce: true, takesBack: false, parks: false, permits: true },
  savedAfterMs: 500,
  async open(plot, skip) {
    const program = await realCli(CODEX, skip);
    const model = await startOpenAi(playing(plot, wording));
    return worldOf(program, codexHome(model.url), model, told);
  },
};

const escalated = { sandbox_permissions: 'require_escalated', justification: 'It makes a file.' };

const wording: Wording<OpenAiRequest, OpenAiReply> = {
  callName: (round, call) => `call_${round}_${call}`,
  say: message,
  run: (callId, command) => functionCall(callId, 'exec_command', { cmd: command, ...escalated }),
  ask: (calls) =>
    calls.map(({ callId, questions }) =>
      functionCall(callId, 'ask_human', { questions: questions.map(codexQuestion) }),
    ),
  told,
};

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
