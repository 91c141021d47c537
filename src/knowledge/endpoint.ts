import type { Env } from '../config/home.ts';
import { type Config, EmbedderConfig } from '../schema/config.ts';
import { FermataError } from '../schema/error.ts';
import type { Endpoint } from './http-embedder.ts';

/**
 * The embedder that applies: the environment's, else the file's. A key goes only where the environment says: the file
 * belongs to a repository, which may be somebody else's.
 */
export function endpointOf(config: Config | undefined, env: Env): Endpoint | undefined {
  const { FERMATA_EMBEDDER_URL: url, FERMATA_EMBEDDER_MODEL: model, FERMATA_EMBEDDER_KEY: key } = env;
  const { embedder } = config ?? {};
  if (!url) return embedder && { ...embedder, model: model || embedder.model };
  const named = EmbedderConfig.safeParse({ url, model: model || embedder?.model });
  if (named.success) return { ...named.data, ...(key ? { key } : {}) };
  throw new FermataError(
    'invalid',
    'FERMATA_EMBEDDER_URL has to be http://… or https://…, with the name of the model in FERMATA_EMBEDDER_MODEL.',
  );
}
