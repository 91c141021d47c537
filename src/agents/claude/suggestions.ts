import type { Suggestion } from '../driver.ts';
import { isRecord, type JsonRecord, list, record, text, texts } from '../stream/fields.ts';

/** A broader permission that Claude Code offers, with the update to send back if a person accepts it. */
export interface Offer extends Suggestion {
  update: JsonRecord;
}

/** Nobody reads more than this on one line before approving it. */
const MAX_LENGTH = 200;
const MAX = 3;

/**
 * Offers rules and folders, for this session only. It never offers a mode: with `acceptEdits`, the agent would write
 * files that steer agents and hooks without asking.
 */
export function offersOf(request: unknown): Offer[] {
  return list(record(request).permission_suggestions)
    .filter(isRecord)
    .flatMap((update, index) => {
      const effect = effectOf(update);
      return effect === undefined || !isShort(effect) ? [] : [{ id: String(index), effect, update }];
    })
    .slice(0, MAX);
}

function effectOf(update: JsonRecord): string | undefined {
  if (update.type === 'addDirectories') {
    const folders = texts(update.directories);
    return folders.length > 0
      ? `let it work in ${folders.map(quoted).join(' and ')} for this session`
      : undefined;
  }
  if (update.type !== 'addRules' || update.behavior !== 'allow') return undefined;
  const rules = list(update.rules).map(ruleWords);
  if (rules.length === 0 || rules.includes(undefined)) return undefined;
  return `allow ${rules.join(' and ')} for this session`;
}

function ruleWords(rule: unknown): string | undefined {
  const { toolName, ruleContent } = record(rule);
  const tool = text(toolName);
  if (tool === undefined) return undefined;
  const content = text(ruleContent);
  return content === undefined
    ? `every use of ${quoted(tool)}`
    : quoted(tool === 'Bash' ? content : `${tool}(${content})`);
}

const quoted = (words: string) => `\`${words}\``;
const isShort = (effect: string) => effect.length <= MAX_LENGTH && !/[\r\n]/.test(effect);
