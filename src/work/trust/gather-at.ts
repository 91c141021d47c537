import { PROMPTS_FOLDER } from '../../agents/roles/prompt.ts';
import { type RoleName, roles } from '../../agents/roles/role.ts';
import { CONFIG_NAME, configFile } from '../../config/config-file.ts';
import { BlobTexts, filesAt, isLink, isSubmodule } from '../../git/tree-files.ts';
import { checkManifests } from '../../issues/repository/checks.ts';
import { ownTemplatePaths } from '../../plan/templates/templates.ts';
import { PROTOCOLS_FOLDER } from '../../protocols/library.ts';
import { planAt } from '../autonomy/plan-at.ts';
import {
  agentFile,
  agentFiles,
  configContents,
  planContent,
  promptFile,
  protocolFile,
  templateFile,
} from './gather.ts';
import { checksOf } from './project-checks.ts';
import type { RepositoryContent } from './repository-content.ts';

/** Everything relevant in a commit of the repository, with agents' files in all folders. Links are left out. */
export async function contentsAt(
  folder: string,
  commit: string,
  plan: { name: string; path: string } | undefined,
): Promise<RepositoryContent[]> {
  const all = await filesAt(folder, commit);
  const files = all.filter((file) => !isLink(file) && !isSubmodule(file));
  const read = files.flatMap((file) => {
    const reading = readingOf(file.path);
    return reading ? [{ file, reading }] : [];
  });
  const checks = files.filter(({ path }) => checkManifests.includes(path));
  const texts = new BlobTexts(folder);
  await texts.load([...read.map(({ file }) => file), ...checks]);
  const contents = read.flatMap(({ file, reading }) => reading(texts.of(file)));
  contents.push(...checksOf(new Map(checks.map((file) => [file.path, texts.of(file)]))));
  const own = plan && (await planAt(all, plan.path, texts));
  return own ? [...contents, planContent(plan.name, own)] : contents;
}

/** How a file is read; undefined if neither Fermata nor an agent program follows it. */
function readingOf(path: string): ((text: string) => RepositoryContent | RepositoryContent[]) | undefined {
  if (path === CONFIG_NAME) return (text) => configContents(configFile(path, text));
  if (agentFiles.some((file) => path === file || path.endsWith(`/${file}`)))
    return (text) => agentFile(path, text);
  if (ownTemplatePaths.includes(path)) return (text) => templateFile(path, text);
  const protocol = nameIn(PROTOCOLS_FOLDER, path, '.yaml');
  if (protocol !== undefined && !protocol.startsWith('.'))
    return (text) => protocolFile({ name: protocol, path, text });
  const role = nameIn(PROMPTS_FOLDER, path, '.md');
  return role !== undefined && (role === 'analyze' || Object.hasOwn(roles, role))
    ? (text) => promptFile(role as RoleName | 'analyze', path, text)
    : undefined;
}

function nameIn(folder: string, path: string, ending: string): string | undefined {
  const name = path.slice(folder.length + 1, -ending.length);
  return path === `${folder}/${name}${ending}` && !name.includes('/') ? name : undefined;
}
