import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '../../schema/command-line.ts';
import type { AgentScenarioInput, Step } from '../../testing/scenario.ts';
import { type DemoPhase, planText } from './demo-plan.ts';

/** Writes the scenarios of the scripted agents: the plan (`default.json`), and a file for each phase and variant. */
export function writeScenarios(folder: string, phases: readonly DemoPhase[]): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, scenario: AgentScenarioInput) =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(scenario, null, 1));
  write('default', planner(phases));
  for (const phase of phases) {
    if (phase.part !== 'variants') write(phase.id, coder(phase, phase.feature.code));
    else {
      write(`${phase.id}-A`, coder(phase, phase.feature.code));
      write(`${phase.id}-B`, coder(phase, phase.feature.other ?? phase.feature.code));
    }
  }
  write(String(phases.length + 1), closing(phases));
}

/** The first attempt forgets the gates; the audit reports it, and the next one has them. */
function planner(phases: readonly DemoPhase[]): AgentScenarioInput {
  return {
    invocations: [true, false, false].map((forgetful) => ({
      steps: [{ do: 'say' as const, text: planText(phases, forgetful) }],
    })),
  };
}

/** Each session starts at the beginning, so that an agent restarted after a crash does the same again. */
function coder({ id, title, feature, part }: DemoPhase, code: string): AgentScenarioInput {
  const { name, test, mistake, question } = feature;
  const asks = part === 'asks' && question;
  const answered: Step[] = asks
    ? [
        { do: 'ask', questions: [{ id: 'choice', question: question.text, options: question.options }] },
        {
          do: 'write',
          path: `docs/${name}.md`,
          content: `# ${title}\n\n${question.text}\n\n{{answer:choice}}\n`,
        },
      ]
    : [];
  const source = `src/${name}.js`;
  const written: Step[] =
    part === 'errs' && mistake
      ? [
          // Restarted with what the gate found, the agent writes the correct version.
          { do: 'run', command: `if [ -f ${source} ]; then mv ${source} ${source}.old; fi` },
          { do: 'write', path: `${source}.right`, content: code },
          { do: 'write', path: `${source}.wrong`, content: mistake },
          {
            do: 'run',
            command: `if [ -f ${source}.old ]; then mv ${source}.right ${source}; else mv ${source}.wrong ${source}; fi; rm -f ${source}.*`,
          },
        ]
      : [{ do: 'write', path: source, content: code }];
  return {
    counts: 'session',
    invocations: [
      {
        usage: { inputTokens: 900, outputTokens: 300 },
        steps: [
          { do: 'run', command: `fermata plan read-prompt ${id.replace('-', ' ')}` },
          ...answered,
          ...written,
          { do: 'write', path: `test/${name}.test.js`, content: test },
          { do: 'run', command: `git add -A && git commit --quiet -m ${quoted(`${title} (#${id})`)}` },
          {
            do: 'say',
            text: JSON.stringify({ status: 'success', summary: `Wrote ${source} and its test.` }),
          },
        ],
      },
    ],
  };
}

function closing(phases: readonly DemoPhase[]): AgentScenarioInput {
  const lines = phases.map(({ title, issue }) => `- ${title} (#${issue.number})`);
  return {
    counts: 'session',
    invocations: [
      {
        usage: { inputTokens: 400, outputTokens: 100 },
        steps: [
          { do: 'write', path: 'CHANGELOG.md', content: `# Changes\n\n${lines.join('\n')}\n` },
          { do: 'run', command: 'git add -A && git commit --quiet -m "Update the change log"' },
          { do: 'say', text: JSON.stringify({ status: 'success', summary: 'Wrote CHANGELOG.md.' }) },
        ],
      },
    ],
  };
}
