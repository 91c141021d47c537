import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { findRepository } from '../../config/repository.ts';
import { loadSettings, type Settings } from '../../config/settings.ts';
import { gitList } from '../../git/git.ts';
import { endpointOf, httpEmbedder } from '../../knowledge/embedder.ts';
import { openIndexFile } from '../../knowledge/index-file.ts';
import { searchDocuments } from '../../knowledge/search-documents.ts';
import { documentKind } from '../../knowledge/split-passages.ts';
import type { Embedder } from '../../knowledge/vectors.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Config } from '../../schema/config.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { withCommandContext } from '../command-context.ts';
import { tell } from '../output.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';
import { progressLine } from '../progress-line.ts';

const MAX_RESULTS = 100;

export function define(knowledge: Command): void {
  knowledge
    .description("Search the project's own documents.")
    .addHelpText('after', '\nExample:\n  fermata knowledge search docs "how are failed payments retried"');
  asPlanCommand(knowledge.command('search'))
    .summary('search documents with a phrase in your own words')
    .description(
      'Search the documents of this project (Markdown, text, reStructuredText, AsciiDoc) with a phrase in your own words. Prints text in a terminal; otherwise, or with --format json, prints one JSON object: {"status":"success","data"} or {"status":"error","error"}.',
    )
    .argument('<collection>', 'what to search: docs')
    .argument('<phrase...>', 'what you want to know; a full phrase finds more than keywords')
    .addOption(
      new Option('--limit <number>', 'the maximum number of passages')
        .argParser(wholeNumber('--limit', 1, MAX_RESULTS))
        .default(8),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  fermata knowledge search docs "what happens when two people answer at once"\n  fermata knowledge search docs "set up a test database" --limit 3 | jq -r ".data.results[].file"',
    )
    .action(async (collection: string, words: string[], options: SearchOptions) => {
      await planCommand(async () => search(collection, words.join(' '), options));
    });
}

interface SearchOptions extends CommonOptions {
  limit: number;
}

/** The passages that match a phrase, for `{"status":"success","data"}`. */
async function search(collection: string, phrase: string, options: SearchOptions): Promise<object> {
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

/** A folder with more entries is not a project but somebody's home, or the whole disk. */
const MAX_ENTRIES = 100_000;

/** The documents of a checkout: what git tracks or does not ignore; of a plain folder, its files. */
async function listDocuments(root: string): Promise<string[]> {
  const all = findRepository(root)
    ? await gitList(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
    : filesIn(root);
  return [...new Set(all)].filter((path) => documentKind(path) !== undefined).sort();
}

/** Skips links, and files that are hidden, installed or unreadable. */
function filesIn(root: string): string[] {
  const files: string[] = [];
  const folders = [''];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      entries += 1;
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isFile()) files.push(path);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        folders.push(path);
    }
    if (entries > MAX_ENTRIES) {
      throw new Refusal('too_many_files', `There are more than ${MAX_ENTRIES} files in ${root}.`, {
        suggestion: "Go to the project's folder, or make it a git repository.",
      });
    }
  }
  return files;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM' || code === 'ENOENT') return [];
    throw error;
  }
}
