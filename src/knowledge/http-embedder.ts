import * as z from 'zod';
import { boundedBody } from '../config/bounded-body.ts';
import { FermataError } from '../schema/error.ts';
import type { Embedder } from './vectors.ts';

/** A person's own server that speaks OpenAI's `/embeddings`, as Ollama, llama.cpp, vLLM and LM Studio do. */
export interface Endpoint {
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
