import { PROMPTS_FOLDER } from '../../agents/roles/prompt.ts';
import { type RoleName, roles } from '../../agents/roles/role.ts';
import { CONFIG_NAME } from '../../config/config-file.ts';
import { gitList } from '../../git/git.ts';
import { textAt } from '../../git/text-at.ts';
import { checkManifests } from '../../issues/repository/checks.ts';
import { ownTemplatePaths } from '../../plan/templates/own-templates.ts';
import { PROTOCOLS_FOLDER } from '../../protocols/library.ts';
import { planAt } from '../autonomy/plan-at.ts';
import type { Brought } from './brought.ts';
import {
  agentFile,
  agentFiles,
  broughtConfig,
  broughtPlan,
  promptFile,
  protocolFile,
  templateFile,
} from './gather.ts';
import { checksOf } from './project-checks.ts';

/** Everything relevant in a commit of the repository, with agents' files in all folders. Links are left out. */
export async function broughtAt(
  folder: string,
  commit: string,
  plan: { name: string; path: string } | undefined,
): Promise<Brought[]> {
  const brought: Brought[] = [];
  const manifests = new Map<string, string>();
  for (const path of await filesAt(folder, commit)) {
    const reading = readingOf(path);
    if (reading) brought.push(reading(await textAt(folder, commit, path)));
    if (checkManifests.includes(path)) manifests.set(path, await textAt(folder, commit, path));
  }
  brought.push(...checksOf(manifests));
  const own = plan && (await planAt(folder, commit, plan.path));
  return own ? [...brought, broughtPlan(plan.name, own)] : brought;
}

async function filesAt(folder: string, commit: string): Promise<string[]> {
  const entries = await gitList(folder, ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]);
  return entries
    .filter((entry) => entry.startsWith('100'))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
}

/** How a file is read; undefined if neither Fermata nor an agent program follows it. */
function readingOf(path: string): ((text: string) => Brought) | undefined {
  if (path === CONFIG_NAME) return (text) => broughtConfig({ text });
  if (agentFiles.some((file) => path === file || path.endsWith(`/${file}`)))
    return (text) => agentFile(path, text);
  if (ownTemplatePaths.includes(path)) return (text) => templateFile(path, text);
  const protocol = nameIn(PROTOCOLS_FOLDER, path, '.yaml');
  if (protocol !== undefined && !protocol.startsWith('.'))
    return (text) => protocolFile({ name: protocol, path, text });
  const role = nameIn(PROMPTS_FOLDER, path, '.md');
  return role !== undefined && Object.hasOwn(roles, role)
    ? (text) => promptFile(role as RoleName, path, text)
    : undefined;
}

function nameIn(folder: string, path: string, ending: string): string | undefined {
  const name = path.slice(folder.length + 1, -ending.length);
  return path === `${folder}/${name}${ending}` && !name.includes('/') ? name : undefined;
}
