import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { realPath } from '../../files/real-path.ts';
import type { Mount } from './arguments.ts';

/** Programs, libraries and what they read. A folder that is not listed may be anybody's, so it is absent. */
const programs = [
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'],
  ...['/usr', '/usr/local'].flatMap((folder) =>
    ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'libexec', 'include', 'share', 'games'].map((name) =>
      join(folder, name),
    ),
  ),
];

/** Settings that programs need. Private ones are absent, not merely unreadable: root in a sandbox still owns root's files. */
const settings =
  /^(?:alternatives|[\w-]+[-_]release|\w+_version|bash\w*\.?\w*|ca-certificates(?:\.conf)?|claude-code|codex|crypto-policies|fonts|gai\.conf|gemini-cli|gitattributes|gitconfig|glvnd|group|host\.conf|hostname|hosts|inputrc|java.*|ld\.so\.\w+|ld\.so\.conf\.d|ld-musl-.*|locale\.\w+|localtime|login\.defs|magic(?:\.mime)?|mailcap|maven|mime\.types|mtab|networks|nsswitch\.conf|passwd|perl|php.*|pip\.conf|profile(?:\.d)?|protocols|python.*|R|resolv\.conf|rpc|ruby.*|services|shells|static|terminfo|texmf|timezone|vim|vulkan|wgetrc|xdg|xml|zsh.*)$/;

/** Of these folders, private keys are the rest. */
const publicParts = [
  ...[
    'ssh/ssh_config',
    'ssh/ssh_config.d',
    'ssh/ssh_known_hosts',
    'ssl/cert.pem',
    'ssl/certs',
    'ssl/openssl.cnf',
  ],
  ...['pki/ca-trust', 'pki/java', 'pki/tls/cert.pem', 'pki/tls/certs', 'pki/tls/openssl.cnf'],
];

/** What a program of the system needs to start. */
export const systemPrograms = (): Mount[] => [...programs, '/etc/ld.so.cache'].flatMap(asInSystem);

/** What of the system a sandbox shows, read-only. `path` is where programs are looked for. */
export function systemMounts(path: string | undefined): Mount[] {
  const usual = [...programs, ...settingsHere()].flatMap(asInSystem);
  const tools = toolFolders(path).map((folder) => ({ path: folder, writable: false }));
  return [...usual, ...usual.flatMap(repositoriesIn), ...tools];
}

/** Folders that start empty. */
export const temporaryFolders = (...more: string[]): Mount[] =>
  ['/tmp', '/run', ...more].map((path) => ({ path, writable: true, empty: 'folder' }));

const settingsHere = (): string[] =>
  [...readdirSync('/etc').filter((name) => settings.test(name)), ...publicParts]
    .map((name) => join('/etc', name))
    .filter(isPublic);

function isPublic(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & 0o004) !== 0;
}

function asInSystem(path: string): Mount[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  return [{ path, writable: false, ...(found.isSymbolicLink() ? { link: readlinkSync(path) } : {}) }];
}

/** Somebody's clones among the system's folders; a tool that PATH leads to is shown anyway. */
function repositoriesIn({ path, link }: Mount): Mount[] {
  if (link !== undefined || !/\/(?:share|lib|libexec)$/.test(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(path, entry.name, '.git')))
    .map(({ name }) => ({ path: join(path, name), writable: false, empty: 'folder' }));
}

/** These hold tools, but also anything else. */
const mixed = ['/opt', '/usr/local'];

/** The folders of the tools in /opt and /usr/local that PATH leads to, directly or by a link. */
function toolFolders(path = ''): string[] {
  const listed = path.split(delimiter).filter((folder) => isAbsolute(folder) && existsSync(folder));
  const linked = listed.filter((folder) => programs.includes(folder)).flatMap(linksIn);
  const folders = [...listed, ...listed.map(realPath), ...linked.map(dirname)].filter((folder) =>
    mixed.some((each) => folder.startsWith(`${each}/`)),
  );
  return [...new Set(folders.map(withLibraries))].filter((folder) => !programs.includes(folder));
}

/** `/opt/tool` of `/opt/tool/bin`. */
function withLibraries(folder: string): string {
  const above = dirname(folder);
  return ['bin', 'sbin'].includes(basename(folder)) && !mixed.includes(above) ? above : folder;
}

/** Where the links in a folder lead. */
function linksIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .flatMap(({ name }) => {
      try {
        return [realPath(join(folder, name))];
      } catch {
        return []; // leads nowhere
      }
    });
}
