import * as z from 'zod';
import { cmd } from '../schema/command-line.ts';

export type ConfigIssue = z.core.$ZodIssue;

export interface ConfigSchema {
  /** Its name in `fermata schema`. */
  name: string;
  shape: z.ZodObject;
}

/** The first problem of a configuration, with what to write instead. */
export function explainConfig(
  schema: ConfigSchema,
  value: unknown,
  issues: ConfigIssue[],
): { issue: ConfigIssue | undefined; field: string; message: string } {
  const { issue, path } = mostSpecific(value, issues[0], []);
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = [...path, ...(unknownKey === undefined ? [] : [unknownKey])].join('.');
  return { issue, field, message: sentence(schema, issue, path, at(value, path)) };
}

/** If several shapes are allowed, picks the problem of the one that was probably meant: a word or an object. */
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

function sentence(
  { name, shape }: ConfigSchema,
  issue: ConfigIssue | undefined,
  path: PropertyKey[],
  value: unknown,
): string {
  if (issue?.code === 'unrecognized_keys') {
    const known = Object.keys(objectAt(shape, path[0]).shape);
    return `unknown key. The keys are ${known.join(', ')}.`;
  }
  if (issue?.code === 'invalid_value') {
    return `${JSON.stringify(value)?.slice(0, 100)} is not allowed. Use ${issue.values.join(', ')}.`;
  }
  return `${issue?.message ?? 'invalid value'}. Print the allowed values with "${cmd`schema ${name}`}".`;
}

/** The object under a key, even if it is optional or one of several shapes. */
function objectAt(shape: z.ZodObject, key: PropertyKey | undefined): z.ZodObject {
  const found = objectIn(key === undefined ? shape : shape.shape[String(key)]);
  return found ?? shape;
}

function objectIn(type: unknown): z.ZodObject | undefined {
  if (type instanceof z.ZodObject) return type;
  if (type instanceof z.ZodOptional) return objectIn(type.unwrap());
  if (type instanceof z.ZodUnion) return type.options.map(objectIn).find(Boolean);
  return undefined;
}

function at(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
}
