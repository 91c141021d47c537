import { claudeDriver } from '../../../../../src/agents/drivers/claude/driver.ts';
import { startAnthropic } from '../../../../support/model/anthropic.ts';
import { type AnthropicReply, text, toolUse } from '../../../../support/model/anthropic-reply.ts';
import type { AnthropicRequest } from '../../../../support/model/anthropic-request.ts';
import { claudeHome } from '../../../../support/model/cli-home.ts';
import { type CLAUDES, realCli } from '../../../clis/real-cli.ts';
import {
  DONE,
  type DriverUnderTest,
  type Plot,
  type PlotQuestion,
  type Round,
  type Told,
  type World,
} from '../plot.ts';

/** The real Claude Code, with a scripted model behind it. */
export const claude = (name: (typeof CLAUDES)[number]): DriverUnderTest => ({
  title: `DRV-7 the real ${name}`,
  driver: claudeDriver(),
  abilities: { asks: true, atOnce: true, takesBack: false, parks: true, permits: true },
  savedAfterMs: 1500,
  open: async (plot, skip) => openWorld(await realCli(name, skip), plot),
});

async function openWorld(program: string, plot: Plot): Promise<World> {
  const model = await startAnthropic((request) => reply(plot, request));
  const home = claudeHome(model.url);
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
function reply(plot: Plot, request: AnthropicRequest): AnthropicReply {
  const known = told(request);
  const at = plot.findIndex((round, index) => !isDone(round, index, known));
  const round = plot[at];
  return round === undefined ? text(DONE) : calls(round, at);
}

function isDone(round: Round, index: number, known: Told[]): boolean {
  if ('run' in round) return known.some(({ callId }) => callId === callName(index, 0));
  const questions = 'ask' in round ? round.ask.flat() : [round.takeBack];
  return questions.every(({ question }) => known.some((each) => each.text.includes(question)));
}

function calls(round: Round, index: number): AnthropicReply {
  if ('run' in round)
    return toolUse(callName(index, 0), 'Bash', { command: round.run, description: 'make a file' });
  const asked = 'ask' in round ? round.ask : [[round.takeBack]];
  return asked.map((questions, number) =>
    toolUse(callName(index, number), 'AskUserQuestion', { questions: questions.map(claudeQuestion) }),
  );
}

const callName = (round: number, call: number) => `toolu_${round}_${call}`;

const claudeQuestion = ({ question, header, options, multi = false }: PlotQuestion) => ({
  question,
  header,
  multiSelect: multi,
  options: options.map((label) => ({ label, description: `${label} it is` })),
});

/** What the user and the tools have said in a conversation. */
function told(request: AnthropicRequest): Told[] {
  const blocks = request.messages.filter(({ role }) => role === 'user').flatMap(({ content }) => content);
  return blocks.flatMap((block): Told[] => {
    if (block.type === 'text') return [{ text: block.text ?? '' }];
    if (block.type !== 'tool_result') return [];
    return [{ text: textOf(block.content), callId: block.tool_use_id }];
  });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('\n');
}
