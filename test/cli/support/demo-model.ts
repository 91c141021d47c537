import { join } from 'node:path';
import { type DemoPhase, planText } from '../../../src/cli/demo/story.ts';

/** The next action of the scripted model, independent of any vendor's format. */
export type Wish =
  | { do: 'say'; text: string }
  | { do: 'bash'; command: string }
  | { do: 'read'; path: string }
  | { do: 'write'; path: string; content: string }
  | { do: 'ask'; question: string; options: { label: string; description: string }[] };

/** What a stateless model learns from a request: where it is, and how often it called a tool in this session. */
export interface Conversation {
  text: string;
  calls: number;
}

/** Plays the demo's planner and coders, depending on the worktree and on what it did there before. */
export function demoModel(phases: readonly DemoPhase[]): (conversation: Conversation) => Wish {
  let plans = 0;
  return ({ text, calls }) => {
    const [folder, id] =
      /\/[\w./-]+\/worktrees\/wishes-\d+--implementation-(\d+(?:-[A-Z])?)-[0-9a-f]{12}/.exec(text) ?? [];
    if (folder === undefined || id === undefined) return { do: 'say', text: planText(phases, plans++ === 0) };
    const phase = phases.find((each) => each.id === id.split('-')[0]);
    const steps = phase
      ? coderSteps(folder, id, phase, /Why this phase needs more work/.test(text))
      : closingSteps(folder, phases);
    return steps[calls] ?? { do: 'say', text: '{"status":"success","summary":"Done."}' };
  };
}

/** The first answer to each question of the demo. */
const decided: Record<string, [name: string, content: string]> = {
  csv: ['csv-format.js', "export const usual = ',';\nexport const order = 'title';\n"],
  search: ['empty-query.js', 'export const emptyFindsAll = true;\n'],
  settings: [
    'format.js',
    'export const parse = (text) => { try { return JSON.parse(text); } catch { return {}; } };\nexport const print = JSON.stringify;\n',
  ],
};

function coderSteps(folder: string, id: string, { texts, part, title }: DemoPhase, again: boolean): Wish[] {
  const { name = '', code = '', mistake, other, test = '', question } = texts;
  const write = (path: string, content: string): Wish => ({ do: 'write', path: join(folder, path), content });
  const [file, content] = decided[name] ?? [];
  const wrong = part === 'errs' && !again ? mistake : undefined;
  const source = wrong ?? (id.endsWith('-B') ? other : undefined) ?? code;
  return [
    { do: 'bash', command: `fermata plan read-prompt ${id.replace('-', ' ')}` },
    ...(part === 'asks' && question ? [{ do: 'ask' as const, ...JSON.parse(question) }] : []),
    // Claude does not overwrite a file that it has not read.
    ...(again ? [{ do: 'read' as const, path: join(folder, `src/${name}.js`) }] : []),
    ...(file ? [write(`src/${file}`, content ?? '')] : []),
    write(`src/${name}.js`, source),
    ...(again ? [] : [write(`test/${name}.test.js`, test)]),
    ...commit(title),
  ];
}

function closingSteps(folder: string, phases: readonly DemoPhase[]): Wish[] {
  const lines = phases.map(({ title, issue }) => `- ${title} (#${issue.number})`);
  return [
    { do: 'write', path: join(folder, 'CHANGELOG.md'), content: `# Changes\n\n${lines.join('\n')}\n` },
    ...commit('Update the change log'),
  ];
}

const commit = (title: string): Wish[] => [
  { do: 'bash', command: 'git add --all' },
  { do: 'bash', command: `git commit -m "${title}"` },
];
