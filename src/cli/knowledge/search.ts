import { join } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { loadSettings, type Settings } from '../../config/settings.ts';
import { endpointOf, httpEmbedder } from '../../knowledge/embedder.ts';
import { openIndexFile } from '../../knowledge/index-file.ts';
import { searchDocuments } from '../../knowledge/search-documents.ts';
import type { Embedder } from '../../knowledge/vectors.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Config } from '../../schema/config.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { CommonOptions } from '../command.ts';
import { withCommandContext } from '../command-context.ts';
import { tell } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { listDocuments } from './list-documents.ts';

export interface SearchOptions extends CommonOptions {
  limit: number;
}

/** The passages that match a phrase, for `{"status":"success","data"}`. */
export async function search(collection: string, phrase: string, options: SearchOptions): Promise<object> {
  if (collection !== 'docs')
    throw new Refusal('invalid', `There is no collection "${collection}".`, { suggestion: 'Search "docs".' });
  if (phrase.trim() === '')
    throw new Refusal('invalid', 'The phrase is empty.', { suggestion: 'Say what you want to know.' });
  const settings = loadSettings(process.cwd(), process.env, options);
  const root = findRepository(process.cwd())?.top ?? settings.project.value.root;
  const documents = { root, paths: await listDocuments(root) };
  const { synonyms, ...config } = await trustedConfig(settings, options);
  const embedder = embedderOf(config);
  const { home, project } = settings;
  const index = openIndexFile(join(home.value, 'projects', project.value.id, 'knowledge.db'));
  const line = progressLine();
  try {
    const found = await searchDocuments(index, documents, phrase, {
      limit: options.limit,
      embedder,
      synonyms,
      tell: line.show,
    });
    line.clear();
    if (found.embedder.state === 'failed') tell(`fermata: ${found.embedder.problem} Searched by words only.`);
    return {
      phrase,
      documents: documents.paths.length,
      ...(found.update.skipped.length > 0 ? { skipped: found.update.skipped } : {}),
      embedder: found.embedder,
      results: found.hits.map(({ path, title, heading, first, last, score, text }) => ({
        file: path,
        title,
        heading,
        lines: [first, last],
        score: Number(score.toPrecision(4)),
        text,
      })),
    };
  } finally {
    line.clear();
    index.close();
  }
}

/** The person decides where texts are sent, so a repository's setting applies only once it is trusted. */
async function trustedConfig(
  { file }: Settings,
  options: SearchOptions,
): Promise<Pick<Config, 'embedder' | 'synonyms'>> {
  const { embedder: named, synonyms: own } = file?.config ?? {};
  if (!file || (!named && !own)) return {};
  const { embedder, synonyms } = await withCommandContext(options, async ({ settings }) => settings.config);
  if (JSON.stringify(embedder) !== JSON.stringify(named))
    tell(`${file.path} sets another embedder, but you have not trusted that file yet. Run "${cmd`trust`}".`);
  return { ...(embedder ? { embedder } : {}), ...(synonyms ? { synonyms } : {}) };
}

function embedderOf(config: Pick<Config, 'embedder'>): Embedder | undefined {
  const endpoint = endpointOf(config, process.env);
  if (!endpoint) return undefined;
  if ('refused' in endpoint) {
    return { model: '', embed: () => Promise.reject(new FermataError('forbidden', endpoint.refused)) };
  }
  return httpEmbedder(endpoint);
}
