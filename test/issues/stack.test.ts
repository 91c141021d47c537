import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeStack, detectStack } from '../../src/issues/repository/stack.ts';

function repository(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-stack-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('ADP-3 the stack is read from manifests: languages, frameworks and test runners', () => {
  const node = repository({
    'package.json': JSON.stringify({
      dependencies: { react: '19', 'react-dom': '19' },
      devDependencies: { vitest: '4' },
    }),
    'tsconfig.json': '{}',
  });
  expect(detectStack(node)).toEqual({
    languages: ['TypeScript'],
    frameworks: ['React'],
    testRunners: ['vitest'],
    manifests: ['package.json', 'tsconfig.json'],
  });
  const rust = repository({ 'Cargo.toml': '[dependencies]\naxum = "0.8"\n' });
  expect(detectStack(rust)).toMatchObject({
    languages: ['Rust'],
    frameworks: ['Axum'],
    testRunners: ['cargo test'],
  });
  const python = repository({ 'pyproject.toml': 'dependencies = ["fastapi>=1"]\n[tool.pytest.ini_options]' });
  expect(detectStack(python)).toMatchObject({
    languages: ['Python'],
    frameworks: ['FastAPI'],
    testRunners: ['pytest'],
  });
});

test('ADP-3 a name inside another name is not a framework', () => {
  const folder = repository({
    'package.json': JSON.stringify({ dependencies: { 'react-ish': '1', 'my-next': '1', 'vue-like': '1' } }),
  });
  expect(detectStack(folder).frameworks).toEqual([]);
});

test('ADP-3 GAP-2 words of a description are not frameworks; what a script runs is a test runner', () => {
  const folder = repository({
    'package.json': JSON.stringify({
      name: 'express',
      description: 'What comes next: react to jest',
      keywords: ['vue'],
      scripts: { test: 'node --test && npx mocha' },
    }),
    'composer.json': '{"require-dev": {"phpunit/phpunit": "11"}, "description": "like laravel"}',
  });
  expect(detectStack(folder)).toMatchObject({
    frameworks: [],
    testRunners: ['mocha', 'node --test', 'PHPUnit'],
  });
  expect(detectStack(repository({ 'package.json': '{"dependencies": {"react": ' }))).toMatchObject({
    languages: ['JavaScript'],
    frameworks: [],
  });
});

test('ADP-3 without a manifest it says that the stack is unknown', () => {
  expect(describeStack(detectStack(repository({})))).toContain('unknown stack');
});

test('ADP-3 a folder named like a manifest, and an endless file, are ignored', () => {
  const folder = repository({ 'Cargo.toml': '', 'go.mod': 'module x' });
  mkdirSync(join(folder, 'package.json'));
  truncateSync(join(folder, 'Cargo.toml'), 2 ** 40);
  expect(detectStack(folder)).toMatchObject({ languages: ['Go'], manifests: ['go.mod'] });
});
