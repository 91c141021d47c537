import { dirname, join, resolve } from 'node:path';
import type * as z from 'zod';
import { readBounded } from '../files/read-bounded.ts';
import { Config } from '../schema/config.ts';
import { FermataError } from '../schema/error.ts';
import { type ConfigIssue, type ConfigSchema, explainConfig } from './explain-config.ts';
import { jsonPositions, lineAndColumn } from './json-positions.ts';
import { parseJson } from './parse-json.ts';

const MAX_BYTES = 1024 * 1024;
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
  return field ? `${line}, ${field}` : `${line}`;
}
