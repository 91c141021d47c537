import type { Env } from '../../config/home.ts';
import { FermataError } from '../../schema/error.ts';
import { desktopSink } from './desktop.ts';
import { ntfySink } from './ntfy.ts';
import type { NoticeSink } from './sink.ts';
import { webhookSink } from './webhook.ts';

/**
 * Where notices go. Only the environment decides, never a file of a repository, because a cloned one could send the
 * questions of all projects to a stranger. Most of these addresses are also secrets.
 */
export function sinksFromEnv(env: Env): NoticeSink[] {
  const webhook = address(env, 'FERMATA_NOTIFY_WEBHOOK');
  const ntfy = address(env, 'FERMATA_NOTIFY_NTFY');
  if (ntfy?.pathname.endsWith('/')) {
    throw new FermataError(
      'invalid',
      'FERMATA_NOTIFY_NTFY must end with a topic, as in https://ntfy.sh/my-topic.',
    );
  }
  return [
    ...(webhook ? [webhookSink(webhook)] : []),
    ...(ntfy ? [ntfySink(ntfy, env.FERMATA_NTFY_TOKEN || undefined)] : []),
    ...(env.FERMATA_NOTIFY_DESKTOP === '1' ? [desktopSink()] : []),
  ];
}

function address(env: Env, name: string): URL | undefined {
  const text = env[name];
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '') return url;
  throw new FermataError('invalid', `${name} is not a URL that starts with https:// or http://.`);
}
