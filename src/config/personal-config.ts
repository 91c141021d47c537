import { join } from 'node:path';
import { readBounded } from '../files/read-bounded.ts';
import type { AutonomyLevel } from '../schema/autonomy.ts';
import { PersonalConfig } from '../schema/personal-config.ts';
import { parseConfigAs } from './config-file.ts';
import { type Env, fermataHome } from './home.ts';

const MAX_BYTES = 1024 * 1024;

/** The person's own configuration: next to the ledger, outside every repository. */
export const personalConfigPath = (env: Env) => join(fermataHome(env), 'config.json');

/** What the person has configured for all projects; a repository cannot change it. */
export function personalConfig(env: Env): PersonalConfig {
  const path = personalConfigPath(env);
  const text = readBounded(path, MAX_BYTES, 'Shorten it or remove it.');
  return text === undefined
    ? {}
    : parseConfigAs({ name: 'personal-config', shape: PersonalConfig }, text, path);
}

/** What happens when a phase changes files that run programs or steer agents. */
export const steeringLevel = (env: Env): AutonomyLevel =>
  personalConfig(env).steeringChanges ?? 'requires_approval';
