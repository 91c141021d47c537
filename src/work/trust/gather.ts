import { join, relative, sep } from 'node:path';
import { ownPrompt } from '../../agents/roles/prompt.ts';
import { type RoleName, roles } from '../../agents/roles/role.ts';
import { CONFIG_NAME, type ConfigFile } from '../../config/config-file.ts';
import { readBounded } from '../../files/read-bounded.ts';
import { pointsOutside, realPath } from '../../files/real-path.ts';
import type { Plan } from '../../plan/grammar/plan.ts';
import { type OwnTemplates, planPrompts, readOwnTemplates } from '../../plan/templates/templates.ts';
import { type ProjectFile, projectFiles } from '../../protocols/library.ts';
import { ownFilesOf } from '../../protocols/resolve-protocol.ts';
import { FermataError } from '../../schema/error.ts';
import { planEntry } from '../plans/approved-plan.ts';
import { bindingPart, gatesInWords } from '../plans/binding-part.ts';
import type { RepositoryContent } from './repository-content.ts';

/** A configuration file that is not valid cannot be trusted, so there is nothing to ask about. */
export function configContents(file: ConfigFile | undefined): RepositoryContent[] {
  if (!file || file.problem !== undefined) return [];
  const effect = 'It can make agents ask you less often.';
  return [{ name: 'config', shownAs: CONFIG_NAME, effect, content: file.text }];
}

/** What a person is told about a configuration file that is not valid. */
export const ineffective = (problem: string) => `${problem} Until it is valid and trusted, it has no effect.`;

/** All of the project's own protocols, as seen from a folder. */
export const protocolContents = (folder: string): RepositoryContent[] =>
  projectFiles(folder).map(protocolFile);

/** The project files that these protocols consist of. */
export async function followedProtocols(
  folder: string,
  names: Iterable<string>,
): Promise<RepositoryContent[]> {
  const files = new Map<string, ProjectFile>();
  for (const name of names) for (const file of await ownFilesOf(name, folder)) files.set(file.path, file);
  return [...files.values()].map(protocolFile);
}

export function protocolFile({ name, path, text }: ProjectFile): RepositoryContent {
  return { name: `protocol:${name}`, shownAs: path, effect: 'Agents follow its steps.', content: text };
}

/** The project's own prompts of these roles. */
export function promptContents(
  root: string,
  of: readonly RoleName[] = Object.keys(roles) as RoleName[],
): RepositoryContent[] {
  return of.flatMap((role) => {
    const own = ownPrompt(role, root);
    return own ? [promptFile(role, own.path, own.text)] : [];
  });
}

/** The project's own templates of plans, and of the prompts that ask for one. */
export function templateContents({ master, phase, prompt }: OwnTemplates): RepositoryContent[] {
  return [master, phase, prompt].flatMap((file) => (file ? [templateFile(file.path, file.text)] : []));
}

export function templateFile(path: string, content: string): RepositoryContent {
  const [, kind, name] = /(prompt|template)s\/([\w-]+)\.md$/.exec(path) ?? [];
  return {
    name: `${kind}:${name}`,
    shownAs: path,
    effect: `Agents write plans with this ${kind}.`,
    content,
  };
}

export function allTemplates(root: string): RepositoryContent[] {
  const all = planPrompts.flatMap((name) => templateContents(readOwnTemplates(root, name)));
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

/** `analyze`: what the Analyst follows when it judges issues. */
export function promptFile(of: RoleName | 'analyze', path: string, content: string): RepositoryContent {
  const effect = `It is the prompt for ${of === 'analyze' ? 'judging issues' : `the ${of}`}.`;
  return { name: `prompt:${of}`, shownAs: path, effect, content };
}

/** Where agent programs look in a folder for commands to run: hooks and servers. */
export const agentFiles = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  '.codex/config.toml',
];
const MAX_AGENT_FILE_SIZE = 256 * 1024;

/** The files of a checkout that name commands which an agent program runs by itself. */
export function agentFileContents(top: string): RepositoryContent[] {
  return agentFiles.flatMap((file) => {
    const path = join(top, file);
    const content = readBounded(path, MAX_AGENT_FILE_SIZE, 'Make it shorter, or remove it.');
    if (content === undefined) return [];
    if (pointsOutside(top, path)) {
      const message = `${path} is a link to something outside ${top}. Replace it with a file, or remove it.`;
      throw new FermataError('invalid', message);
    }
    return [agentFile(file, content)];
  });
}

/** `path` is relative to the top of the checkout. */
export function agentFile(path: string, content: string): RepositoryContent {
  const [file = ''] = agentFiles.filter((each) => path.endsWith(each));
  const folder = path.slice(0, -file.length).slice(-201);
  const shownAs = `${folder}${file}`;
  const effect = 'Agent programs run the commands in it on their own.';
  return { name: `agent:${shownAs}`, shownAs, effect, content };
}

/** The same for an agent in a folder of the checkout: the files at the top and those in that folder, by path. */
export function agentFilesFor(top: string, folder: string): RepositoryContent[] {
  const inside = relative(realPath(top), realPath(folder)).split(sep).join('/');
  if (inside === '') return agentFileContents(top);
  const nearer = agentFileContents(folder).map(({ shownAs, content }) =>
    agentFile(`${inside}/${shownAs}`, content),
  );
  return [...agentFileContents(top), ...nearer];
}

/** The binding part of a plan. */
export function planContent(name: string, plan: Plan): RepositoryContent {
  return {
    name: planEntry(name),
    shownAs: `plan ${name}`,
    effect: gatesInWords(plan),
    content: bindingPart(plan),
  };
}
