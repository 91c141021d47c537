import { codexDriver } from '../../../../../src/agents/drivers/codex/driver.ts';
import { codexHome } from '../../../../support/model/cli-home.ts';
import { functionCall, message, type OpenAiReply } from '../../../../support/model/openai-reply.ts';
import type { OpenAiRequest } from '../../../../support/model/openai-request.ts';
import { startOpenAi } from '../../../../support/model/openai-responses.ts';
import { CODEX, realCli } from '../../../clis/real-cli.ts';
import { DONE, type DriverUnderTest, type Plot, type PlotQuestion, type Told, type World } from '../plot.ts';

/** The real Codex, with a scripted model behind it. */
export const codex: DriverUnderTest = {
  title: `DRV-7 the real ${CODEX}`,
  driver: codexDriver,
  abilities: { asks: true, atOnce: true, takesBack: false, parks: false, permits: false },
  savedAfterMs: 500,
  open: async (plot, skip) => openWorld(await realCli(CODEX, skip), plot),
};

async function openWorld(program: string, plot: Plot): Promise<World> {
  const model = await startOpenAi((request) => reply(plot, request));
  const home = codexHome(model.url);
  return {
    setup: { cwd: home.cwd, env: home.env, program, mustAsk: true, timeoutMs: 60_000 },
    told(question) {
      const last = model.requests.at(-1);
      return last ? told(last).filter((each) => each.text.includes(question)) : [];
    },
    async close() {
      home.remove();
      await model.stop();
    },
  };
}

/** The model knows from the conversation how far it has come. */
function reply(plot: Plot, request: OpenAiRequest): OpenAiReply {
  const known = told(request);
  const at = plot.findIndex(
    (round) =>
      'ask' in round &&
      !round.ask.flat().every(({ question }) => known.some((each) => each.text.includes(question))),
  );
  const round = plot[at];
  if (!round || !('ask' in round)) return message(DONE);
  return round.ask.map((questions, number) =>
    functionCall(`call_${at}_${number}`, 'ask_human', { questions: questions.map(codexQuestion) }),
  );
}

const codexQuestion = ({ question, header, options, multi = false }: PlotQuestion) => ({
  question,
  header,
  multi,
  options: options.map((label) => ({ label, description: `${label} it is` })),
});

/** What the user and the tools have said in a conversation. */
function told(request: OpenAiRequest): Told[] {
  return request.input.flatMap((item): Told[] => {
    if (item.type.endsWith('call_output')) return [{ text: textOf(item.output), callId: item.call_id }];
    return item.role === 'user' ? [{ text: textOf(item.content) }] : [];
  });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('\n');
}
