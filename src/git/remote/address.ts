import { basename, dirname, resolve } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { Refusal } from '../../schema/refusal.ts';
import { git, tryGit } from '../git.ts';

/** A remote as it was read once: git gets this address, never the name, so no other configuration of it applies. */
export interface Remote {
  name: string;
  address: string;
}

/** The remote with that name in a repository; undefined if there is none. */
export async function readRemote(commonDir: string, name: string): Promise<Remote | undefined> {
  if (!/^[\w][\w./-]{0,199}$/.test(name))
    throw invalid(`"${name.slice(0, 200)}" is not the name of a remote.`);
  const { code, stdout } = await tryGit(commonDir, ['config', '-z', '--get-all', `remote.${name}.url`]);
  const [written = ''] = stdout.toString('utf8').split('\0');
  if (code !== 0 || written === '') return undefined;
  return { name, address: usableAddress(commonDir, name, written) };
}

/** For people and the ledger: without user name and password. */
export const shownAddress = ({ address }: Pick<Remote, 'address'>): string =>
  address.replace(/^((?!ssh:)[\w+.-]+:\/\/)[^/]*@/i, '$1').replace(/^(ssh:\/\/[^/:@]*):[^/]*@/i, '$1@');

/** Throws if git could run a program for this address, or read it as an option. */
export function requireUsable({ name, address }: Remote): void {
  if (isUsable(address)) return;
  const shown = shownAddress({ address }).slice(0, 200);
  throw invalid(
    `The address of the remote ${name} is "${shown}". Fermata uses only ${protocols.join(', ')} and paths.`,
  );
}

function usableAddress(commonDir: string, name: string, written: string): string {
  requireUsable({ name, address: written });
  return isPath(written) ? resolve(checkoutOf(commonDir), written) : written;
}

function isUsable(address: string): boolean {
  if (address.startsWith('-') || /^[\w+.-]+::|\p{Cc}/u.test(address) || address.length > 4000) return false;
  const scheme = schemeOf(address);
  return scheme === undefined || protocols.includes(scheme);
}

/** Whether an address can work on any machine. An absolute path counts, because it does not depend on a checkout. */
export const isUsableAnywhere = (address: string) =>
  isUsable(address) && (!isPath(address) || address.startsWith('/'));

const schemeOf = (address: string) => /^([\w+.-]+):\/\//.exec(address)?.[1]?.toLowerCase();

const isPath = (address: string) => schemeOf(address) === undefined && !/^[^/]*:/.test(address);

export const protocols = ['file', 'git', 'http', 'https', 'ssh'];

/** Git resolves a relative path from the top of the checkout. */
const checkoutOf = (commonDir: string) => (basename(commonDir) === '.git' ? dirname(commonDir) : commonDir);

function invalid(message: string): Refusal {
  return new Refusal('invalid_remote', message, {
    suggestion: 'Check who configured it, or turn it off with --remote none.',
    code: 'invalid',
  });
}

/**
 * Which repository an address names, as `host/owner/name`, to compare it with another one. It is the same for ssh and https,
 * whoever logs in. Another port or an unencrypted protocol is another address, because another server may answer. What can
 * be read in two ways is compared as it is written.
 */
export function repositoryAt(address: string): string {
  if (isPath(address)) return `file://${address.replace(/(.)\/+$/, '$1')}`;
  const url = /^([\w+.-]+):\/\/(?:[^/]*@)?(\[[^\]/]*\]|[^/:]*)(?::(\d*))?\/(.*)$/s.exec(address);
  const [, scheme = '', host = '', port = '', path = ''] = url ?? asUrl(address) ?? [];
  const server = hostName(host);
  const name = path.replace(/\/$/, '').replace(/\.git$/, '');
  if (server === undefined || !isPlainPath(name)) return shownAddress({ address });
  const usual = usualPorts.get(scheme.toLowerCase());
  if (usual === undefined) return `${scheme.toLowerCase()}://${server}${port && `:${port}`}/${name}`;
  return port === '' || port === usual
    ? `${server}/${name}`
    : `${scheme.toLowerCase()}://${server}:${port}/${name}`;
}

const usualPorts = new Map([
  ['https', '443'],
  ['ssh', '22'],
]);

/**
 * The parts of `git@host:owner/name`. For another user than `git`, a relative path is in that user's home, so this is not the
 * form of a git host.
 */
function asUrl(address: string): string[] | undefined {
  const [, user = 'git', host = '', path = ''] =
    /^(?:([^/:@]*)@)?(\[[^\]/]*\]|[^/:@]*):(.*)$/s.exec(address) ?? [];
  return user === 'git' || path.startsWith('/') ? ['', 'ssh', host, '', path.replace(/^\//, '')] : undefined;
}

/** Without anything that a server or a shell may resolve to another path. */
const isPlainPath = (path: string) =>
  path !== '' &&
  path.split('/').every((part) => /^(?!\.{1,2}$)[\p{L}\p{N}_.+-][\p{L}\p{N}_.+~-]*$/u.test(part));

/** In the form in which it is looked up, so that look-alike letters show; undefined if it is not a plain name. */
function hostName(host: string): string | undefined {
  if (!/^(?:\[[0-9a-f:.]+\]|[\p{L}\p{M}\p{N}_.-]+)$/iu.test(host) || !URL.canParse(`https://${host}`))
    return undefined;
  return new URL(`https://${host}`).hostname.replace(/\.$/, '');
}

/** The remotes of the repository around a folder, with the address that git would fetch from; empty without a repository. */
export async function listRemotes(folder: string): Promise<{ name: string; address: string }[]> {
  if (!findRepository(folder)) return [];
  const listed = await git(folder, ['remote', '--verbose']);
  return [...listed.matchAll(/^(\S+)\t(.+) \(fetch\)/gm)].map(([, name = '', address = '']) => ({
    name,
    address,
  }));
}
