import type { YamlFault } from '../../files/parse-yaml.ts';

const MARK = '# >> ';
/** Nobody reads more problems at once. */
export const MAX_LISTED = 20;

/** The file with the problems listed at its top and `done` reset; everything else stays as the person wrote it. */
export function withProblems(text: string, problems: YamlFault[]): string {
  const bare = withoutRemarks(text);
  const told = problems.slice(0, MAX_LISTED);
  // One remark for each problem and one for what to do, all above the lines that they name.
  const shift = told.length + 1 - (text.split('\n').length - bare.split('\n').length);
  const remarks = told.map(
    ({ line, column, message }) => `line ${line + shift}, column ${column}: ${message.replace(/\s+/g, ' ')}`,
  );
  return withRemarks(notDone(bare), [
    ...remarks,
    'Nothing is lost: correct it, set "done: true" again and save.',
  ]);
}

/** The file of a settled gate, with a note that changes have no effect. */
export function withEnd(text: string, sentence: string): string {
  return withRemarks(withoutRemarks(text), [sentence]);
}

function withRemarks(text: string, remarks: string[]): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = remarks.map((remark) => `${MARK}${remark.replace(/\s+/g, ' ')}`);
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return `${mark}${lines.join(end)}${end}${text.slice(mark.length)}`;
}

function withoutRemarks(text: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  let rest = text.slice(mark.length);
  while (rest.startsWith(MARK)) rest = rest.slice(rest.indexOf('\n') + 1 || rest.length);
  return mark + rest;
}

function notDone(text: string): string {
  return text.replace(/^(\uFEFF?done[ \t]*:[ \t]*)\S*/m, '$1false');
}
