import type { Env } from '../config/home.ts';
import { isLoopback } from '../config/loopback.ts';
import { type Config, EmbedderConfig } from '../schema/config.ts';
import { FermataError } from '../schema/error.ts';
import type { Endpoint } from './http-embedder.ts';

/**
 * The embedder that applies: the environment's, or else the file's. The file belongs to a repository, which may be somebody
 * else's: it can name a server on this machine, but it can neither get a key nor send anything elsewhere.
 */
export function endpointOf(config: Config | undefined, env: Env): Endpoint | { refused: string } | undefined {
  const { FERMATA_EMBEDDER_URL: url, FERMATA_EMBEDDER_MODEL: model, FERMATA_EMBEDDER_KEY: key } = env;
  const { embedder } = config ?? {};
  if (!url) return embedder && ofFile({ ...embedder, model: model || embedder.model });
  const named = EmbedderConfig.safeParse({ url, model: model || embedder?.model });
  if (named.success) return { ...named.data, ...(key ? { key } : {}) };
  throw new FermataError(
    'invalid',
    'FERMATA_EMBEDDER_URL must be http://… or https://… without a password, with the name of the model in FERMATA_EMBEDDER_MODEL.',
  );
}

function ofFile(endpoint: Endpoint): Endpoint | { refused: string } {
  const { hostname, origin } = new URL(endpoint.url);
  if (isLoopback(hostname)) return endpoint;
  return {
    refused: `The project's configuration names an embedder elsewhere (${origin}). If you trust it, set FERMATA_EMBEDDER_URL to its address.`,
  };
}
