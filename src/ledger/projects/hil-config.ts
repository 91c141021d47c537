import type { HilConfig } from '../../schema/autonomy.ts';
import { defaultHilConfig } from '../../schema/autonomy-words.ts';
import { Config } from '../../schema/config.ts';
import { selectTrustedContent } from '../access/trusted-content-sql.ts';
import { parseHilLevels } from '../decisions/autonomy.ts';
import type { SqlRunner } from '../engine/store.ts';
import { selectProject, unknownProject } from './project-sql.ts';

/** The effective levels, and those of each origin: a person's own precede the trusted file's, the default comes last. */
export interface HilLevels {
  value: HilConfig;
  own: Partial<HilConfig>;
  fromFile: Partial<HilConfig>;
}

/** How much agents may do alone in a project. A repository's file counts only in the version a person trusted. */
export async function selectHilLevels(runner: SqlRunner, projectId: string): Promise<HilLevels> {
  const [row] = await selectProject(runner, projectId);
  if (!row) throw unknownProject(projectId);
  const own: Partial<HilConfig> = row.hil_config === null ? {} : JSON.parse(row.hil_config);
  const trusted = await selectTrustedContent(runner, projectId, 'config');
  const fromFile = parseHilLevels((trusted && trustedConfig(trusted.content).hilConfig) ?? {});
  return { value: { ...defaultHilConfig, ...fromFile, ...own }, own, fromFile };
}

/** A trusted configuration file. It was valid when it was trusted; a file of a newer Fermata has no effect here. */
export function trustedConfig(content: string): Config {
  return Config.safeParse(JSON.parse(content.replace(/^\uFEFF/, ''))).data ?? {};
}
