import { basename, dirname, resolve } from 'node:path';
import { Refusal } from '../../schema/refusal.ts';
import { tryGit } from '../git.ts';

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

export const isPath = (address: string) => schemeOf(address) === undefined && !/^[^/]*:/.test(address);

export const protocols = ['file', 'git', 'http', 'https', 'ssh'];

/** Git resolves a relative path from the top of the checkout. */
const checkoutOf = (commonDir: string) => (basename(commonDir) === '.git' ? dirname(commonDir) : commonDir);

function invalid(message: string): Refusal {
  return new Refusal('invalid_remote', message, {
    suggestion: 'Check who configured it, or turn it off with --remote none.',
    code: 'invalid',
  });
}
