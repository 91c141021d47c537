import { describe, expect, it } from 'vitest';
import { agentEnvironment, gateEnvironment } from '../../../src/agents/process/environment.ts';

const secrets = {
  FERMATA_STORE: 'postgres://ann:pw@db/ledger',
  FERMATA_HOME: '/home/ann/fermata',
  FERMATA_NOTIFY_WEBHOOK: 'https://hooks.example/secret',
  FERMATA_NTFY_TOKEN: 'tk',
  FERMATA_DOOR_TOKEN: 'of-another-run',
  DEBUSSY_QA_PIPE: '1',
  PGPASSWORD: 'pw',
  PGHOST: 'db',
  GITHUB_TOKEN: 'gh',
  NODE_AUTH_TOKEN: 'npm',
  npm_config__authToken: 'npm',
  npm_config_key: 'pem',
  SSH_AUTH_SOCK: '/run/agent',
  AWS_SECRET_ACCESS_KEY: 'aws',
  OPENAI_API_KEY: 'sk',
};
const needed = {
  SHLVL: '1',
  PATH: '/bin',
  HOME: '/home/ann',
  LANG: 'C.UTF-8',
  CI: 'true',
  NODE_OPTIONS: '--max-old-space-size=4096',
  NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
  npm_config_cache: '/var/cache/npm',
  JAVA_HOME: '/usr/lib/jvm',
  CARGO_HOME: '/opt/cargo',
  CFLAGS: '-O2',
  VIRTUAL_ENV: '/venv',
  https_proxy: 'http://proxy:3128',
};
const env = { ...secrets, ...needed };

describe('BIND-14 the environment is an allow-list', () => {
  it('a gate command gets what builds need, and no store, token or key', () => {
    expect(gateEnvironment(env, undefined)).toEqual({ ...needed, FERMATA_AGENT: 'gate command' });
  });

  it('an agent gets the same, its own keys and its identity', () => {
    const identity = { FERMATA_AGENT: 'codex' };
    expect(agentEnvironment({ env, identity }, /^OPENAI_/)).toEqual({
      ...needed,
      OPENAI_API_KEY: 'sk',
      FERMATA_AGENT: 'codex',
    });
  });

  it('a person can pass more variables by name, but never Fermata’s own', () => {
    const own = { MY_A: '1', MY_B: '2', MYSELF: '3' };
    const passes = ['MY_*', 'SSH_AUTH_SOCK', 'FERMATA_*', 'FERMATA_STORE'];
    expect(gateEnvironment({ ...env, ...own }, passes)).toEqual({
      ...needed,
      MY_A: '1',
      MY_B: '2',
      SSH_AUTH_SOCK: '/run/agent',
      FERMATA_AGENT: 'gate command',
    });
  });
});
