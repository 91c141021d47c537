import type { Protocol } from './protocol.ts';

/** The protocol with our commands under the name that it was asked for by: the steps of built-in files say `fermata`. */
export function spokenAs(name: string, protocol: Protocol): Protocol {
  const steps = protocol.steps.map((step) =>
    step.from.file.startsWith('builtin/')
      ? { ...step, text: step.text.replace(/`fermata(?= [a-z])/g, `\`${name}`) }
      : step,
  );
  return { ...protocol, steps };
}
