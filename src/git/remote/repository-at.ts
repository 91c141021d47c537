import { isPath, shownAddress } from './address.ts';

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
