import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { onDisk } from '../keep-on-disk.ts';

/** A person with just one agent CLI and a project, and no network except the scripted model. */
export interface CliHome {
  /** The whole environment: nothing else of this process's own reaches the CLI. */
  env: Record<string, string>;
  home: string;
  /** The project's folder, empty. */
  cwd: string;
  /** After the CLI has ended. */
  remove(): void;
}

/** For Claude Code, with its model at `url` (of `startAnthropic`). */
export function claudeHome(url: string): CliHome {
  const place = makePlace();
  writeFileSync(join(place.home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true }));
  return {
    ...place,
    env: {
      ...baseEnv(place.home, url),
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-ant-scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
  };
}

/** For Codex, with its model at `url` (of `startOpenAi`), which it retries this many times after a failure. */
export function codexHome(url: string, retries?: number): CliHome {
  const place = makePlace();
  mkdirSync(join(place.home, '.codex'));
  const tries = ['request_max_retries', 'stream_max_retries']
    .map((name) => `${name} = ${retries}\n`)
    .join('');
  const config = codexConfig(url) + (retries === undefined ? '' : tries);
  writeFileSync(join(place.home, '.codex', 'config.toml'), config);
  return { ...place, env: { ...baseEnv(place.home, url), SCRIPTED_API_KEY: 'sk-scripted' } };
}

const codexConfig = (url: string) => `
model = "scripted-model"
model_provider = "scripted"
check_for_update_on_startup = false

[features]
plugins = false

[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_API_KEY"
wire_api = "responses"
supports_websockets = false
`;

function makePlace() {
  const root = realpathSync(mkdtempSync(join(onDisk(), 'fermata-cli-home-')));
  const home = join(root, 'home');
  const cwd = join(root, 'project');
  for (const folder of [home, cwd, join(home, 'tmp')]) mkdirSync(folder);
  return { home, cwd, remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }) };
}

function baseEnv(home: string, url: string): Record<string, string> {
  const path = [dirname(process.execPath), process.env.PATH ?? '/usr/bin:/bin'].join(delimiter);
  const proxies = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  return {
    HOME: home,
    PATH: path,
    TMPDIR: join(home, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
    ...Object.fromEntries(proxies.map((name) => [name, url])),
  };
}
