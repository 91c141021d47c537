import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import { isApproved, widerApproval } from '../../schema/approval.ts';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import { lineDiff } from '../../schema/line-diff.ts';
import type { Notification, Response } from '../../schema/notification.ts';
import type { Question, Verbatim } from '../../schema/question.ts';
import type { PermissionAsk } from '../driver.ts';
import { ELICITATION } from './forms.ts';

/** Agents may bring tools with any name; only a plain name can be a word in a sentence. */
const PLAIN_NAME = /^[\w.:-]{1,80}$/;
/** Room for everything around the input. */
const MARGIN = 64 * 1024;

/**
 * How a person is asked whether an agent may use a tool. What it would do is shown verbatim and complete, then why it
 * asks. An input that is too large for that is refused, because nobody can approve what they have not seen.
 */
export function permissionQuestion({
  tool,
  input,
  reason,
  asker,
  suggestions = [],
}: Omit<PermissionAsk, 'id'>): Pick<Question, 'text' | 'verbatim' | 'options'> {
  const isPlain = PLAIN_NAME.test(tool);
  const verbatim = [
    ...inputPieces(tool, input),
    ...(isPlain ? [] : [{ label: 'tool', text: tool }]),
    ...(reason === undefined ? [] : [{ label: 'reason', text: reason }]),
    ...(asker === undefined ? [] : [{ label: 'sub-agent', text: asker }]),
  ];
  const bytes = Buffer.byteLength(JSON.stringify(verbatim));
  const most = limits.notificationBytes - MARGIN;
  if (bytes > most) {
    throw new FermataError(
      'invalid',
      `Refused: the input has ${bytes} bytes, and Fermata can show a person at most ${most}. Split it into smaller steps.`,
    );
  }
  const options = suggestions.map(({ effect }) => ({ label: widerApproval(effect) }));
  return { text: questionText(tool, isPlain), verbatim, ...(options.length > 0 ? { options } : {}) };
}

function questionText(tool: string, isPlain: boolean): string {
  if (tool === 'ExitPlanMode') return 'May the agent carry out this plan?';
  if (tool === ELICITATION) return 'Do you consent to this?';
  return `May the agent use ${isPlain ? tool : 'this tool'}?`;
}

/** The suggestion that a person accepted with their yes. */
export function suggestionTaken(
  { suggestions = [] }: PermissionAsk,
  response: Response | undefined,
): string | undefined {
  if (response?.kind !== 'answered' || !isApproved(response)) return undefined;
  return suggestions.find(({ effect }) => widerApproval(effect) === response.answer)?.id;
}

/** What an agent gets if a person says no without a note. */
export const REFUSED = 'The person refused it.';

/** A person's note on their decision, or the reason why there is no decision. */
export function noteOf({ responses: [response], reason }: Notification): string | undefined {
  return response?.kind === 'answered' ? response.note : reason;
}

/** What a tool would do, for the person who approves it: the diff of an edit, then each text of the input separately. */
function inputPieces(tool: string, input: unknown): Verbatim[] {
  if (!isRecord(input)) return [asJson('input', input)];
  const { diffs, rest } = withoutEdits(tool, input);
  if (!hasUsableKeys(rest, limits.verbatim - OTHER_PIECES - diffs.length)) return [asJson('input', input)];
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
const OTHER_PIECES = 3;

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
