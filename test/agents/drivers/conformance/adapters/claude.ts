import { claudeDriver } from '../../../../../src/agents/drivers/claude/driver.ts';
import { startAnthropic } from '../../../../support/model/anthropic.ts';
import { type AnthropicReply, text, toolUse } from '../../../../support/model/anthropic-reply.ts';
import type { AnthropicRequest } from '../../../../support/model/anthropic-request.ts';
import { claudeHome } from '../../../../support/model/cli-home.ts';
import { type CLAUDES, realCli } from '../../../clis/real-cli.ts';
import type { DriverUnderTest, PlotQuestion, Told } from '../plot.ts';
import { described, playing, textOf, type Wording, worldOf } from './real-agent.ts';

/** The real Claude Code, with a scripted model behind it. */
export const claude = (name: (typeof CLAUDES)[number]): DriverUnderTest => ({
  title: `DRV-7 the real ${name}`,
  driver: claudeDriver(),
  abilities: { asks: true, atOnce: true, takesBack: false, parks: true, permits: true },
  savedAfterMs: 1500,
  async open(plot, skip) {
    const program = await realCli(name, skip);
    const model = await startAnthropic(playing(plot, wording));
    return worldOf(program, claudeHome(model.url), model, told);
  },
});

const wording: Wording<AnthropicRequest, AnthropicReply> = {
  callName: (round, call) => `toolu_${round}_${call}`,
  say: text,
  run: (callId, command) => toolUse(callId, 'Bash', { command, description: 'make a file' }),
  ask: (calls) =>
    calls.map(({ callId, questions }) =>
      toolUse(callId, 'AskUserQuestion', { questions: questions.map(claudeQuestion) }),
    ),
  told,
};

const claudeQuestion = ({ question, header, options, multi = false }: PlotQuestion) => ({
  question,
  header,
  multiSelect: multi,
  options: described(options),
});

function told(request: AnthropicRequest): Told[] {
  const blocks = request.messages.filter(({ role }) => role === 'user').flatMap(({ content }) => content);
  return blocks.flatMap((block): Told[] => {
    if (block.type === 'text') return [{ text: block.text ?? '' }];
    if (block.type !== 'tool_result') return [];
    return [{ text: textOf(block.content), callId: block.tool_use_id }];
  });
}
