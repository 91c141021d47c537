type Env = Record<string, string | undefined>;

/** Variables that Claude Code reads, except those that identify the session it was started from. */
const own =
  /^(ANTHROPIC_\w+|CLAUDE_CONFIG_DIR|CLAUDE_CODE_(?!ENTRYPOINT|SSE_PORT|SESSION|CHILD|EXECPATH|REMOTE)\w+|DISABLE_\w+|ENABLE_\w+|MCP_\w+|MAX_(THINKING|MCP_OUTPUT)_TOKENS|BASH_(DEFAULT_TIMEOUT_MS|MAX_TIMEOUT_MS|MAX_OUTPUT_LENGTH)|API_TIMEOUT_MS|USE_BUILTIN_RIPGREP)$/;

/** If Claude runs through a cloud provider, the keys for that provider, and only then. */
const clouds: [flag: string, needed: RegExp][] = [
  [
    'CLAUDE_CODE_USE_BEDROCK',
    /^AWS_(REGION|DEFAULT_REGION|PROFILE|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|BEARER_TOKEN_BEDROCK|CONFIG_FILE|SHARED_CREDENTIALS_FILE|ROLE_ARN|ROLE_SESSION_NAME|WEB_IDENTITY_TOKEN_FILE|CONTAINER_\w+|CA_BUNDLE|ENDPOINT_URL\w*)$/,
  ],
  [
    'CLAUDE_CODE_USE_VERTEX',
    /^(GOOGLE_(APPLICATION_CREDENTIALS|CLOUD_PROJECT|CLOUD_QUOTA_PROJECT)|GCLOUD_PROJECT|CLOUDSDK_\w+|CLOUD_ML_REGION|VERTEX_REGION_\w+)$/,
  ],
  [
    'CLAUDE_CODE_USE_FOUNDRY',
    /^AZURE_(CLIENT_ID|CLIENT_SECRET|TENANT_ID|FEDERATED_TOKEN_FILE|AUTHORITY_HOST)$/,
  ],
];

/** The variables that Claude Code needs besides the common ones, given its configuration. */
export function claudeNeeds(env: Env): RegExp {
  const open = clouds.filter(([flag]) => isOn(env[flag])).map(([, needed]) => needed);
  return new RegExp([own, ...open].map((part) => part.source).join('|'));
}

function isOn(value: string | undefined): boolean {
  return /^(1|true|yes|on)$/i.test(value?.trim() ?? '');
}
