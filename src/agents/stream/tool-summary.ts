import { basename, win32 } from 'node:path';
import { list, record, text } from './agent-reader.ts';

const MAX_LENGTH = 80;
const MAX_READ = 4000;

/**
 * A use of a tool in one short line for a person: the command, the file, the pattern. `clean` removes secrets before the line is
 * cut, because half a secret has no shape.
 */
export function toolSummary(name: string, input: unknown, clean = (line: string) => line): string {
  const cut = (line: string) => shorten(clean(line.slice(0, MAX_READ)));
  const { command, file_path, notebook_path, path, pattern, url, query, description, todos } = record(input);
  const file = text(file_path) ?? text(notebook_path);
  switch (name) {
    case 'Bash':
      return cut(text(command) ?? name);
    case 'Read':
    case 'Edit':
    case 'Write':
    case 'NotebookEdit':
      return cut(file === undefined ? name : `${name}: ${baseName(file)}`);
    case 'Grep':
    case 'Glob': {
      const where = text(path) === undefined ? '' : ` in ${path}`;
      return cut(text(pattern) === undefined ? name : `${name}: ${pattern}${where}`);
    }
    case 'TodoWrite':
      return `${name}: ${list(todos).length} items`;
    default: {
      const about = text(description) ?? text(url) ?? text(query);
      if (about !== undefined) return cut(`${name}: ${about}`);
      const json = JSON.stringify(input ?? {});
      return json === '{}' ? name : cut(`${name}: ${json}`);
    }
  }
}

function baseName(path: string): string {
  return path.includes('\\') ? win32.basename(path) : basename(path);
}

function shorten(line: string): string {
  const flat = line.replace(/\s+/g, ' ').trim();
  return flat.length <= MAX_LENGTH ? flat : `${flat.slice(0, MAX_LENGTH - 1)}…`;
}
