import { readdirSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { readSmall } from '../../files/read-bounded.ts';
import type { Plan } from '../grammar/plan.ts';
import type { Surroundings } from './rule.ts';
import { phaseFiles } from './rule.ts';
import { programsIn } from './shell.ts';

/** A larger file is neither a manifest nor an agent's description. */
const MAX_SIZE = 4 * 1024 * 1024;

/** Collects what a plan needs: programs of its gates, the nearest manifest, the agents of the project and the person. */
export function gatherSurroundings(folder: string, plan: Plan, environment = process.env): Surroundings {
  const top = findRepository(folder)?.top ?? topWithoutGit(resolve(folder));
  const around = foldersUp(folder, top);
  return {
    programs: programsFor(plan, top, environment),
    scripts: scriptsIn(around),
    agents: agentsIn([...new Set([...around, process.cwd(), homedir()])]),
  };
}

/** This folder if it contains the plan; else the one that contains `plans/NAME`. */
function topWithoutGit(folder: string): string {
  const here = process.cwd();
  return folder === here || folder.startsWith(here + sep) ? here : dirname(dirname(folder));
}

/** From a folder up to another one that contains it. */
function foldersUp(folder: string, top: string): string[] {
  const folders = [resolve(folder)];
  for (let each = resolve(folder); each !== top && each !== dirname(each); ) {
    each = dirname(each);
    folders.push(each);
  }
  return folders;
}

function programsFor(plan: Plan, top: string, { PATH = '', PATHEXT = '' }: NodeJS.ProcessEnv): Set<string> {
  const commands = new Set(
    Array.from(phaseFiles(plan), ({ file }) => file.gates.map(({ command }) => command)).flat(),
  );
  const wanted = new Set(
    [...commands].flatMap((command) => programsIn(command ?? '').map(({ words }) => words[0] ?? '')),
  );
  const folders = PATH.split(delimiter).filter((each) => each !== '');
  const endings = ['', ...PATHEXT.split(';').filter((each) => each !== '')];
  const isThere = (path: string) => endings.some((ending) => isFile(path + ending));
  const found = (name: string) =>
    name.includes('/')
      ? isThere(resolve(top, name.replace(/^~(?=\/)/, homedir())))
      : folders.some((each) => isThere(join(each, name)));
  return new Set([...wanted].filter(found));
}

function isFile(path: string): boolean {
  return kindOf(path)?.isFile() ?? false;
}

/** What we cannot read counts as missing. */
function kindOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // not allowed, or not a folder on the way to it
  }
}

/** Undefined if there is no readable manifest; then nothing is known about its scripts. */
function scriptsIn(folders: string[]): Set<string> | undefined {
  for (const folder of folders) {
    const text = readSmall(join(folder, 'package.json'), MAX_SIZE);
    if (text !== undefined) return scriptsOf(text);
  }
  return undefined;
}

function scriptsOf(text: string): Set<string> | undefined {
  try {
    const scripts: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))?.scripts;
    return new Set(scripts && typeof scripts === 'object' ? Object.keys(scripts) : []);
  } catch {
    return undefined; // not JSON, so its scripts are not known
  }
}

/** An agent is a Markdown file, known by its name or by `name:` in its front matter. */
function agentsIn(folders: string[]): Set<string> {
  const names = folders.flatMap((folder) => {
    const agents = join(folder, '.claude', 'agents');
    return filesIn(agents)
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => [file.replace(/^.*[/\\]|\.md$/g, ''), ...namedIn(join(agents, file))]);
  });
  return new Set(names.map((name) => name.toLowerCase()));
}

function filesIn(folder: string): string[] {
  if (!kindOf(folder)?.isDirectory()) return [];
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return []; // no access: a run of the plan would not find them either
  }
}

function namedIn(path: string): string[] {
  const name = /^name:[ \t]*["']?([\w-]+)/m.exec(readSmall(path, MAX_SIZE)?.slice(0, 5000) ?? '')?.[1];
  return name ? [name] : [];
}
