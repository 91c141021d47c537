import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexFolder } from './rollout-file.ts';

type Env = Record<string, string | undefined>;

const own = 'OPENAI_\\w+|CODEX_(?!SANDBOX)\\w+|AZURE_OPENAI_\\w+|RUST_LOG';

/** The variables that Codex needs beside the common ones: its own, and the keys that its configuration names. */
export function codexNeeds(env: Env): RegExp {
  const folder = codexFolder(env);
  const named = folder ? keysNamedIn(join(folder, 'config.toml')) : [];
  return new RegExp(`^(?:${[own, ...named].join('|')})$`);
}

function keysNamedIn(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return []; // no configuration: Codex has its defaults
  }
  return [...text.matchAll(/^\s*env_key\s*=\s*["']([A-Za-z_]\w*)["']/gm)].map((match) => match[1] ?? '');
}
