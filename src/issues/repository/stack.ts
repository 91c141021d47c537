import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSmall } from '../../files/read-bounded.ts';
import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';

/** The technologies of a repository, from its manifests. */
export interface Stack {
  languages: string[];
  frameworks: string[];
  testRunners: string[];
  /** The manifests that this comes from. */
  manifests: string[];
}

interface Manifest {
  file: string | RegExp;
  language: string;
  /** Names to find in what the manifest uses, as whole words. */
  frameworks?: Record<string, string>;
  testRunners?: Record<string, string>;
}

const manifests: Manifest[] = [
  {
    file: 'package.json',
    language: 'JavaScript',
    frameworks: {
      react: 'React',
      next: 'Next.js',
      vue: 'Vue',
      svelte: 'Svelte',
      preact: 'Preact',
      '@angular/core': 'Angular',
      express: 'Express',
      fastify: 'Fastify',
      hono: 'Hono',
      '@nestjs/core': 'NestJS',
      electron: 'Electron',
    },
    testRunners: {
      vitest: 'vitest',
      jest: 'jest',
      mocha: 'mocha',
      ava: 'ava',
      '@playwright/test': 'playwright',
      'node --test': 'node --test',
      'bun test': 'bun test',
    },
  },
  { file: 'tsconfig.json', language: 'TypeScript' },
  {
    file: 'pyproject.toml',
    language: 'Python',
    frameworks: { django: 'Django', flask: 'Flask', fastapi: 'FastAPI' },
    testRunners: { pytest: 'pytest' },
  },
  {
    file: 'requirements.txt',
    language: 'Python',
    frameworks: { django: 'Django', flask: 'Flask', fastapi: 'FastAPI' },
    testRunners: { pytest: 'pytest' },
  },
  { file: 'setup.py', language: 'Python', testRunners: { pytest: 'pytest' } },
  {
    file: 'Cargo.toml',
    language: 'Rust',
    frameworks: { 'actix-web': 'Actix', axum: 'Axum', rocket: 'Rocket', tauri: 'Tauri' },
  },
  { file: 'go.mod', language: 'Go', frameworks: { 'gin-gonic/gin': 'Gin', 'labstack/echo': 'Echo' } },
  {
    file: 'pom.xml',
    language: 'Java',
    frameworks: { 'spring-boot': 'Spring Boot' },
    testRunners: { junit: 'JUnit' },
  },
  {
    file: /^build\.gradle(\.kts)?$/,
    language: 'Java',
    frameworks: { 'spring-boot': 'Spring Boot' },
    testRunners: { junit: 'JUnit' },
  },
  {
    file: 'Gemfile',
    language: 'Ruby',
    frameworks: { rails: 'Rails', sinatra: 'Sinatra' },
    testRunners: { rspec: 'RSpec', minitest: 'minitest' },
  },
  {
    file: 'composer.json',
    language: 'PHP',
    frameworks: { laravel: 'Laravel', symfony: 'Symfony' },
    testRunners: { phpunit: 'PHPUnit' },
  },
  { file: 'mix.exs', language: 'Elixir', frameworks: { phoenix: 'Phoenix' } },
  { file: /\.csproj$/, language: 'C#', testRunners: { xunit: 'xUnit', nunit: 'NUnit' } },
  { file: 'Package.swift', language: 'Swift' },
  { file: 'CMakeLists.txt', language: 'C++' },
];

/** Test runners that come with the language. */
const ownRunner: Record<string, string> = {
  Rust: 'cargo test',
  Go: 'go test',
  Elixir: 'mix test',
  Swift: 'swift test',
};

/** A larger file is not a manifest. */
const MAX_SIZE = 4 * 1024 * 1024;

/** Reads the manifests at the top of a folder. A folder without any has an empty stack. */
export function detectStack(folder: string): Stack {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const found = manifests.flatMap((manifest) => {
    const name = names.find((each) =>
      typeof manifest.file === 'string' ? each === manifest.file : manifest.file.test(each),
    );
    const text = name && readSmall(join(folder, name), MAX_SIZE);
    return name && text !== undefined ? [{ manifest, name, text: usedIn(name, text) }] : [];
  });
  const languages = unique(found.map(({ manifest }) => manifest.language));
  const named = (kind: 'frameworks' | 'testRunners') =>
    unique(found.flatMap(({ manifest, text }) => matches(text, manifest[kind] ?? {})));
  return {
    languages: languages.includes('TypeScript')
      ? languages.filter((name) => name !== 'JavaScript')
      : languages,
    frameworks: named('frameworks'),
    testRunners: unique([...named('testRunners'), ...languages.flatMap((name) => ownRunner[name] ?? [])]),
    manifests: found.map(({ name }) => name),
  };
}

/** One line for a prompt or a person. */
export function describeStack(stack: Stack): string {
  if (stack.manifests.length === 0) return 'unknown stack, because there is no manifest';
  const parts = [...stack.languages, ...stack.frameworks];
  const tests = stack.testRunners.length > 0 ? `; tests with ${stack.testRunners.join(', ')}` : '';
  return `${parts.join(', ')}${tests} (from ${stack.manifests.join(', ')})`;
}

function matches(text: string, names: Record<string, string>): string[] {
  return Object.entries(names)
    .filter(([name]) =>
      new RegExp(`(?<![\\w@/-])${name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\w-])`, 'i').test(text),
    )
    .map(([, label]) => label);
}

const unique = (values: string[]) => [...new Set(values)];

const lists = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
  'require',
  'require-dev',
];

/**
 * What a manifest uses. For JSON, its dependencies and what its scripts run, because "what comes next" in a description
 * is not a framework. For any other, the whole text.
 */
function usedIn(name: string, text: string): string {
  if (!name.endsWith('.json')) return text;
  const manifest = recordIn(text);
  const fields = lists.flatMap((list) => Object.keys(recordOf(manifest[list])));
  const commands = Object.values(recordOf(manifest.scripts)).filter((each) => typeof each === 'string');
  return [...fields, ...commands].join('\n');
}

function recordIn(text: string): JsonRecord {
  try {
    return recordOf(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return {}; // an unreadable manifest shows nothing
  }
}

const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
