import { codexDriver } from '../../../../../src/agents/drivers/codex/driver.ts';
import { codexHome } from '../../../../support/model/cli-home.ts';
import { functionCall, message, type OpenAiReply } from '../../../../support/model/openai-reply.ts';
import type { OpenAiRequest } from '../../../../support/model/openai-request.ts';
import { startOpenAi } from '../../../../support/model/openai-responses.ts';
import { CODEX, realCli } from '../../../clis/real-cli.ts';
import {
  DONE,
  type DriverUnderTest,
  type Plot,
  type PlotQuestion,
  type Round,
  type Told,
  type World,
} from '../plot.ts';

/** The real Codex, with a scripted model behind it. */
export const codex: DriverUnderTest = {
  title: `DRV-7 the real ${CODEX}`,
  driver: codexDriver,
  abilities: { asks: true, atOnce: true, takesBack: false, parks: false, permits: true },
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
  const at = plot.findIndex((round, index) => !isDone(round, index, known));
  const round = plot[at];
  return round === undefined ? message(DONE) : calls(round, at);
}

function isDone(round: Round, index: number, known: Told[]): boolean {
  if ('run' in round) return known.some(({ callId }) => callId === callName(index, 0));
  return asked(round).every((questions) =>
    questions.every(({ question }) => known.some((each) => each.text.includes(question))),
  );
}

function calls(round: Round, index: number): OpenAiReply {
  if ('run' in round) {
    const escalated = { sandbox_permissions: 'require_escalated', justification: 'It makes a file.' };
    return functionCall(callName(index, 0), 'exec_command', { cmd: round.run, ...escalated });
  }
  return asked(round).map((questions, number) =>
    functionCall(callName(index, number), 'ask_human', { questions: questions.map(codexQuestion) }),
  );
}

const asked = (round: Exclude<Round, { run: string }>) => ('ask' in round ? round.ask : [[round.takeBack]]);
const callName = (round: number, call: number) => `call_${round}_${call}`;

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
