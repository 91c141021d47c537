import type { Protocol } from './protocol.ts';

/** A protocol as an agent reads it. */
export function renderProtocol({ name, description, inputs, outputs, steps }: Protocol): string {
  const given = inputs.map(
    (input) =>
      `- ${input.name}: ${input.type} (${input.optional ? 'optional' : 'required'})${described(' - ', input)}`,
  );
  const returned = outputs.map((output) => `- ${output.value}${described('\n  ', output)}`);
  return [
    [`# ${name}`, ...(description ? [description] : [])].join('\n'),
    ...section('Inputs', given),
    ...section('Outputs', returned),
    '## Steps',
    ...steps.map(({ number, text }) => `${number}: ${text}`),
  ].join('\n\n');
}

function section(title: string, lines: string[]): string[] {
  return lines.length > 0 ? [[`## ${title}`, ...lines].join('\n')] : [];
}

const described = (before: string, { description }: { description: string }) =>
  description ? before + description : '';
