import type { Issue } from '../issue.ts';

/** Annotations that GitHub Actions shows next to the lines; `locate` turns a file into its path in the repository. */
export function githubAnnotations(issues: readonly Issue[], locate: (file: string) => string): string {
  return issues
    .map(({ severity, code, message, suggestion, file, line, column }) => {
      const properties = { file: locate(file), line: String(line), col: String(column), title: code };
      const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
      return `::${severity} ${list.join(',')}::${data(`${message}\n${suggestion}`)}`;
    })
    .join('\n');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
