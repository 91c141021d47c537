import type { Command } from 'commander';
import { extractOpenQuestions, type OpenQuestions } from '../../agents/questions/open-questions.ts';
import { colorsOn } from '../../channels/colors.ts';
import { visible } from '../../schema/visible.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson, tell } from '../output.ts';
import { wholeInput } from '../recorded-input.ts';
import { cut, oneLine } from '../table.ts';

const pc = colorsOn(process.stdout);

const MAX_ANSWER_LENGTH = 64 * 1024 * 1024;

export function define(questions: Command): void {
  questions
    .description("Extract the open questions from an agent's answer.")
    .addHelpText('after', '\nExample:\n  fermata questions extract answer.txt');
  questions
    .command('extract')
    .summary('find "open_questions" in an answer')
    .description('Find "open_questions" in an answer: in prose, in a code fence, or nested in other JSON.')
    .argument('[file]', 'the answer; stdin if it is - or missing')
    .addHelpText(
      'after',
      `
Examples:
  fermata questions extract answer.txt
  some-agent "…" | fermata questions extract --format json | jq '.questions[].text'`,
    )
    .action(async (file: string | undefined, { format }: CommonOptions) => {
      const answer = await wholeInput(file, MAX_ANSWER_LENGTH, "Pass only the agent's last answer.");
      const found = extractOpenQuestions(answer.toString('utf8'));
      await (format === 'json' ? printJson(found) : show(found));
    });
}

async function show({ status, summary, questions, dropped }: OpenQuestions): Promise<void> {
  const about = [status, summary].filter((part) => part !== null && part !== undefined).map(visible);
  if (about.length > 0) await print(pc.dim(about.join(': ')));
  for (const { id, text, options = [], recommended } of questions) {
    const wanted = [recommended ?? []].flat();
    const marks = options.map(({ label }) => `${oneLine(label)}${wanted.includes(label) ? '*' : ''}`);
    await print(`${pc.bold(oneLine(id))}  ${visible(text).replaceAll('\n', '\n  ')}`);
    if (marks.length > 0) await print(pc.dim(`  ${marks.join(' · ')}`));
  }
  if (questions.length === 0)
    tell(status === null ? 'The input has no JSON with "open_questions".' : 'There are no open questions.');
  for (const { reason, value } of dropped) {
    tell(`Left out (${oneLine(reason)}): ${cut(oneLine(JSON.stringify(value) ?? ''), 100)}`);
  }
}
