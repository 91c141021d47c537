import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import { limits } from '../../schema/limits.ts';
import { lineDiff } from '../../schema/line-diff.ts';
import type { Verbatim } from '../../schema/question.ts';

/** What a tool would do, for the person who approves it: the diff of an edit, then each text of the input separately. */
export function inputPieces(tool: string, input: unknown): Verbatim[] {
  if (!isRecord(input)) return [asJson('input', input)];
  const { diffs, rest } = withoutEdits(tool, input);
  if (!hasUsableKeys(rest, limits.verbatim - MARGIN - diffs.length)) return [asJson('input', input)];
  const entries = Object.entries(rest);
  const texts = entries.flatMap(([label, value]) =>
    typeof value === 'string' ? [{ label, text: value }] : [],
  );
  const others = entries.filter(([, value]) => typeof value !== 'string');
  const hasRest = others.length > 0 || texts.length + diffs.length === 0;
  const json = hasRest ? [asJson('other input', Object.fromEntries(others))] : [];
  // An agent's description of its command comes after the command.
  const isRemark = ({ label }: Verbatim) => label === 'description';
  return [...texts.filter((piece) => !isRemark(piece)), ...diffs, ...json, ...texts.filter(isRemark)];
}

/** Lines for the rest of the input, the tool's name and the reason. */
const MARGIN = 3;

interface Edit {
  old_string: string;
  new_string: string;
}

/** Removes the old and the new text from the input if a diff shows the same. */
function withoutEdits(tool: string, input: JsonRecord): { diffs: Verbatim[]; rest: JsonRecord } {
  if (tool === 'Edit' && isEdit(input)) {
    const { old_string, new_string, ...rest } = input;
    return { diffs: [{ label: 'diff', text: editDiff(input) }], rest };
  }
  const { edits, ...rest } = input;
  if (tool !== 'MultiEdit' || !Array.isArray(edits) || !edits.every(isEditAlone))
    return { diffs: [], rest: input };
  const diffs = edits.map((edit, index) => {
    const everywhere = edit.replace_all === true ? ', everywhere' : '';
    return { label: `diff ${index + 1} of ${edits.length}${everywhere}`, text: editDiff(edit) };
  });
  return { diffs, rest };
}

const EDIT_KEYS = new Set(['old_string', 'new_string', 'replace_all']);

function isEdit(value: unknown): value is JsonRecord & Edit {
  return isRecord(value) && typeof value.old_string === 'string' && typeof value.new_string === 'string';
}

/** Any other key in a part of a MultiEdit would not show in its diff. */
const isEditAlone = (value: unknown): value is JsonRecord & Edit =>
  isEdit(value) && Object.keys(value).every((key) => EDIT_KEYS.has(key));

/** An unchanged empty line has no leading blank, because that would be displayed as a trailing blank. */
const editDiff = ({ old_string, new_string }: Edit) =>
  lineDiff(old_string, new_string)
    .map((line) => (line === ' ' ? '' : line))
    .join('\n');

const asJson = (label: string, value: unknown): Verbatim => ({
  label: `${label} (JSON)`,
  text: JSON.stringify(value, null, 2) ?? '',
});

function hasUsableKeys(input: JsonRecord, most: number): boolean {
  const keys = Object.keys(input);
  return keys.length <= most && keys.every((key) => key !== '' && key.length <= limits.header);
}
