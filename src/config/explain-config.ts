import type * as z from 'zod';
import { HilConfig } from '../schema/autonomy.ts';
import { Config, EmbedderConfig } from '../schema/config.ts';

export type ConfigIssue = z.core.$ZodIssue;

/** The first problem of a configuration, in words that say what to write instead. */
export function explainConfig(
  value: unknown,
  issues: ConfigIssue[],
): { issue: ConfigIssue | undefined; field: string; message: string } {
  const { issue, path } = mostSpecific(value, issues[0], []);
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = [...path, ...(unknownKey === undefined ? [] : [unknownKey])].join('.');
  return { issue, field, message: sentence(issue, path, at(value, path)) };
}

/** In a choice of shapes, the one that was meant: a word, or an object. */
function mostSpecific(
  value: unknown,
  issue: ConfigIssue | undefined,
  before: PropertyKey[],
): { issue: ConfigIssue | undefined; path: PropertyKey[] } {
  const path = [...before, ...(issue?.path ?? [])];
  if (issue?.code !== 'invalid_union') return { issue, path };
  const isObject = typeof at(value, path) === 'object';
  const branches = issue.errors.filter((branch) => branch.length > 0);
  const meant = branches.find((branch) => isObject !== isAboutWholeValue(branch[0])) ?? branches[0];
  return meant ? mostSpecific(value, meant[0], path) : { issue, path };
}

const isAboutWholeValue = (issue: ConfigIssue | undefined) =>
  issue?.code === 'invalid_value' && issue.path.length === 0;

function sentence(issue: ConfigIssue | undefined, path: PropertyKey[], value: unknown): string {
  if (issue?.code === 'unrecognized_keys') {
    const known = Object.keys(shapeAt(path[0]));
    return `there is no such key. The keys are ${known.join(', ')}.`;
  }
  if (issue?.code === 'invalid_value') {
    return `${JSON.stringify(value)?.slice(0, 100)} is not allowed. Use ${issue.values.join(', ')}.`;
  }
  return `${issue?.message ?? 'wrong value'}. "fermata schema config" prints what is allowed.`;
}

function shapeAt(key: PropertyKey | undefined): object {
  switch (key) {
    case 'hilConfig':
      return HilConfig.shape;
    case 'reviewer':
      return Config.shape.reviewer.unwrap().shape;
    case 'embedder':
      return EmbedderConfig.shape;
    default:
      return Config.shape;
  }
}

function at(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
}
