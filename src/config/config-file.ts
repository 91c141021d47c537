import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { readBounded } from '../files/read-bounded.ts';
import { cmd } from '../schema/command-line.ts';
import { Config } from '../schema/config.ts';
import { FermataError } from '../schema/error.ts';
import { jsonPositions, lineAndColumn, parseJson } from './parse-json.ts';

const MAX_BYTES = 1024 * 1024;
/** A key comes from the file, so it could be long, or look like a message of ours on a line of its own. */
const MAX_FIELD = 100;
export const CONFIG_NAME = 'fermata.config.json';

export interface ConfigFile {
  path: string;
  text: string;
  /** What it would set if a person trusted it. */
  config: Config;
  /** Why nobody can trust it as it is. */
  problem?: string;
}

/** The nearest configuration file from `folder` up to `top` (the repository's top, or the file system's). */
export function findConfigFile(folder: string, top?: string): ConfigFile | undefined {
  for (let dir = resolve(folder); ; dir = dirname(dir)) {
    const path = join(dir, CONFIG_NAME);
    const file = readConfigFile(path);
    if (file) return file;
    if (dir === top || dir === dirname(dir)) return undefined;
  }
}

function readConfigFile(path: string): ConfigFile | undefined {
  try {
    const text = readBounded(path, MAX_BYTES, 'Remove it, or write a new one.');
    return text === undefined ? undefined : configFile(path, text);
  } catch (error) {
    return { path, text: '', config: {}, problem: problemOf(error) };
  }
}

/** Does not throw, because a file that nobody trusts must not stop a command. */
export function configFile(path: string, text: string): ConfigFile {
  try {
    return { path, text, config: parseConfig(text, path) };
  } catch (error) {
    return { path, text, config: {}, problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  if (error instanceof FermataError) return error.message;
  throw error;
}

/** Reads the text of a configuration file; errors name the file, the place and what to write. */
export const parseConfig = (text: string, path: string): Config =>
  parseConfigAs({ name: 'config', shape: Config }, text, path);

/** Like `parseConfig`, for a file of another shape. */
export function parseConfigAs<Shape extends z.ZodObject>(
  schema: { name: string; shape: Shape },
  text: string,
  path: string,
): z.infer<Shape> {
  const value = parseJson(text, path);
  const result = schema.shape.safeParse(value);
  if (!result.success) throw wrongField(schema, text, path, value, result.error.issues);
  return result.data;
}

function wrongField(
  schema: ConfigSchema,
  text: string,
  path: string,
  value: unknown,
  issues: ConfigIssue[],
): FermataError {
  const { issue, field, message } = explainConfig(schema, value, issues);
  return new FermataError('invalid', `${path}, ${placeOf(text, field)}: ${message}`, { details: [issue] });
}

/** `line 3, hilConfig.scopeChanges`; the first line for a problem of the whole file. */
function placeOf(text: string, field: string): string {
  const line = lineAndColumn(text, jsonPositions(text).keys.get(field) ?? 0).split(',')[0];
  return field ? `${line}, ${field.replace(/\s+/g, ' ').slice(0, MAX_FIELD)}` : `${line}`;
}

type ConfigIssue = z.core.$ZodIssue;

interface ConfigSchema {
  /** Its name in `fermata schema`. */
  name: string;
  shape: z.ZodObject;
}

/** The first problem of a configuration, with what to write instead. */
function explainConfig(
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
