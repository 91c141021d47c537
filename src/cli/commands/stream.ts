import { type Command, Option } from 'commander';
import { readAgentStream } from '../../agents/stream/agent-stream.ts';
import { type AgentKind, agentKinds } from '../../agents/stream/events.ts';
import { inspectRun } from '../../agents/stream/inspect-run.ts';
import type { AskedCall } from '../../agents/stream/questions.ts';
import type { RunView } from '../../agents/stream/view.ts';
import { colorsOn } from '../../channels/colors.ts';
import { visible } from '../../schema/visible.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson } from '../output.ts';
import { recordedInput } from '../recorded-input.ts';
import { cut, oneLine } from '../table.ts';

const pc = colorsOn(process.stdout);

interface InspectOptions extends CommonOptions {
  from?: AgentKind;
}

export function define(stream: Command): void {
  stream
    .description('Read the recorded output of an agent.')
    .addHelpText('after', '\nExample:\n  fermata stream inspect run.jsonl');
  stream
    .command('inspect')
    .summary('print the session, questions, text and tokens of a recorded run')
    .description('Print the session, questions, text and tokens of a recorded run, and how it ended.')
    .argument('[file]', 'what the agent printed, one JSON object per line; stdin if it is - or missing')
    .addOption(
      new Option('--from <agent>', 'the agent that printed it (default: detected)').choices(agentKinds),
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata stream inspect run.jsonl
  claude -p "…" --verbose --output-format stream-json | fermata stream inspect
  fermata stream inspect run.jsonl --from codex --format json | jq .questions`,
    )
    .action(async (file: string | undefined, { from, format }: InspectOptions) => {
      const view = await readAgentStream(recordedInput(file), { from });
      await (format === 'json' ? printJson(inspectRun(view)) : print(described(view)));
    });
}

function described(view: RunView): string {
  const { sessionId, model, version, turns, toolCalls, skippedLines, errors, warnings } = view;
  const agent = [model, version].filter((part) => part !== null).map(visible);
  const lines = [
    field('session', sessionId === null ? 'unknown' : visible(sessionId)),
    field('end', `${endOf(view)}${turns > 1 ? `, after ${turns} turns` : ''}`),
    ...(agent.length > 0 ? [field('model', agent.join(', version '))] : []),
    field('tokens', tokensOf(view)),
    ...(toolCalls > 0 ? [field('tools', `${toolCalls} calls`)] : []),
    ...(skippedLines > 0 ? [field('skipped', `${skippedLines} lines that could not be read`)] : []),
    ...view.skipped
      .slice(0, 3)
      .map(({ reason, text }) => pc.dim(`${gap}${reason}: ${cut(oneLine(text), 80)}`)),
    ...errors.map((error) => field('error', oneLine(error))),
    ...warnings.map((warning) => field('warning', oneLine(warning))),
    ...view.questions.flatMap(askedLines),
  ];
  const text = visible(view.text).trim();
  if (text !== '') lines.push('', text);
  if (view.textCut) lines.push(pc.dim('[only the beginning was kept]'));
  return lines.join('\n');
}

function endOf({ end }: RunView): string {
  switch (end.kind) {
    case 'ok':
      return 'finished';
    case 'deferred':
      return 'parked on a question; it can be resumed with the answer';
    case 'error':
      return `failed: ${oneLine(end.message)}`;
    case 'interrupted':
      return 'interrupted';
    case 'unfinished':
      return 'unfinished: there is no result';
  }
}

function tokensOf({ usage, usageOf }: RunView): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens, costUsd } = usage;
  const parts = [
    `${inputTokens} in`,
    `${outputTokens} out`,
    ...(cacheReadTokens > 0 ? [`${cacheReadTokens} read from the cache`] : []),
    ...(cacheCreationTokens > 0 ? [`${cacheCreationTokens} written to the cache`] : []),
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(4)}`]),
  ];
  return parts.join(', ') + (usageOf === 'session' ? ' (since the session began)' : '');
}

function askedLines({ questions, state, lineage }: AskedCall): string[] {
  const by = lineage.length > 0 ? `, by a sub-agent (${lineage.map(visible).join(' › ')})` : '';
  return questions.flatMap(({ question, header, options, multi }) => [
    '',
    `${pc.bold(oneLine(question))} ${pc.dim(`(${[header && oneLine(header), state].filter(Boolean).join(', ')}${by})`)}`,
    ...options.map(({ label, description }) => {
      const more = description === undefined ? '' : pc.dim(`: ${oneLine(description)}`);
      return `  ${multi ? '☐' : '○'} ${oneLine(label)}${more}`;
    }),
  ]);
}

const gap = ' '.repeat(10);
const field = (name: string, value: string) => `${pc.dim(name.padEnd(gap.length))}${value}`;
