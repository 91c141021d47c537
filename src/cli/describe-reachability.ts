import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface Reach {
  /** The address for programs on this machine. */
  url: string;
  host: string;
  publicUrl?: URL | undefined;
  /** The names of the notice sinks. */
  sinks: string[];
}

/** Who can reach a hub, and whether a phone can open its links. */
export function describeReachability(
  { url, host, publicUrl, sinks }: Reach,
  addresses = ownAddresses(),
): string[] {
  const words: string[] = [];
  if (!isLoopback(host)) {
    const { port } = new URL(url);
    const all = host === '0.0.0.0' || host === '::' ? addresses : [host];
    const places = all.map(
      (each) => `http://${isIPv4(each) || !each.includes(':') ? each : `[${each}]`}:${port}`,
    );
    const at = places.length > 0 ? ` at ${places.join(', ')}` : '';
    words.push(`Others can reach this hub${at}. It speaks plain HTTP, so put TLS in front of it.`);
  }
  if (sinks.length > 0) words.push(`Notices are sent through ${sinks.join(', ')}.`);
  const linksHere = publicUrl === undefined && isLoopback(new URL(url).hostname);
  if (linksHere && sinks.some((name) => name !== 'desktop'))
    words.push(
      `Their links start with ${url}, which other devices cannot open. Pass --public-url with an address that they can reach.`,
    );
  return words;
}

const isLoopback = (host: string) => ['127.0.0.1', '::1', '[::1]', 'localhost'].includes(host);

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address);
}
