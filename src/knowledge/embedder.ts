import * as z from 'zod';
import type { Env } from '../config/home.ts';
import { boundedBody } from '../files/read-bounded.ts';
import { isLoopback } from '../schema/address.ts';
import { type Config, EmbedderConfig } from '../schema/config.ts';
import { FermataError } from '../schema/error.ts';
import type { Embedder } from './vectors.ts';

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

/** A person's own server that speaks OpenAI's `/embeddings`, as Ollama, llama.cpp, vLLM and LM Studio do. */
interface Endpoint {
  url: string;
  model: string;
  key?: string | undefined;
}

const TIME_LIMIT_MS = 60_000;
const MAX_SIZE = 64 * 1024 * 1024;

const EmbeddingResponse = z.object({
  data: z.array(z.object({ index: z.number().int().nonnegative(), embedding: z.array(z.number()).min(1) })),
});

export function httpEmbedder({ url, model, key }: Endpoint): Embedder {
  return {
    model: `${url} ${model}`,
    embed: async (texts) => {
      const reply = EmbeddingResponse.safeParse(await post(url, { model, input: texts }, key));
      if (!reply.success) throw failed(url, 'its answer is not a list of embeddings');
      const vectors = new Map(
        reply.data.data.map(({ index, embedding }) => [index, Float32Array.from(embedding)]),
      );
      return texts.map((_, index) => vectors.get(index) ?? refuse(url, texts.length));
    },
  };
}

async function post(url: string, body: object, key: string | undefined): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
      body: JSON.stringify(body),
      redirect: 'error', // the key is for this server
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    const text = await boundedBody(response, MAX_SIZE);
    if (text === undefined) throw failed(url, `its answer has more than ${MAX_SIZE} bytes`);
    if (!response.ok) throw failed(url, `it answered with ${response.status}`);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof FermataError) throw error;
    const { message, cause } = error as Error;
    throw failed(url, cause instanceof Error ? cause.message : message);
  }
}

function refuse(url: string, wanted: number): never {
  throw failed(url, `it did not answer with ${wanted} embeddings`);
}

/** Names the address without the parts that may contain secrets. */
function failed(url: string, why: string): FermataError {
  const { origin, pathname } = new URL(url);
  return new FermataError('unavailable', `The embedder at ${origin}${pathname} failed: ${why}.`);
}
