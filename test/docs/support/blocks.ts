import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const programs = /^(?:export |[A-Z_]+=|(?:fermata|envoy|rslph|debussy|npm|git|curl|claude|codex|cd|cp) )/;

/** Commands of one code block of a page. */
export interface CommandBlock {
  page: string;
  /** One entry per command, with all its lines. */
  commands: string[];
}

/** Every block of README.md, CONTRIBUTING.md and the pages in docs in which commands are shown. */
export function commandBlocks(): CommandBlock[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();
  return ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => `docs/${name}`)].flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(\w*)\n(.*?)^```$/gms)]
      .filter(([, language = '']) => ['', 'sh', 'bash', 'console'].includes(language))
      .map(([, , text = '']) => ({ page, commands: commandsIn(text) }))
      .filter(({ commands }) => commands.length > 0),
  );
}

/** If commands start with `$ `, everything else is output. */
function commandsIn(text: string): string[] {
  const lines = text.split('\n');
  const shown = lines.filter((line) => line.startsWith('$ '));
  if (shown.length > 0) return shown.map((line) => line.slice(2));
  if (!lines.some((line) => programs.test(line))) return [];
  const commands: string[] = [];
  for (const line of lines.filter((each) => each.trim() !== '')) {
    if (programs.test(line)) commands.push(line);
    else commands.push(`${commands.pop() ?? ''}\n${line}`);
  }
  return commands.filter((command) => programs.test(command));
}
