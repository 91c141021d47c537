/** Where a secret may begin if its beginning also occurs inside words: an escaped line break is not part of a word. */
export const EDGE = '(?:^|[^A-Za-z0-9]|\\\\[bfnrt]|%[0-9A-F]{2}|\\x1b\\[[\\d;]{0,8}m)';

/** Looks back from the end of the beginning, because looking back from everywhere takes ten times as long. */
const edged = (start: string, rest: RegExp) => new RegExp(`${start}(?<=${EDGE}${start})${rest.source}`);

/**
 * The kinds of secrets that have a shape: a name and a pattern. Each pattern begins with fixed characters, and after a run
 * of any length that may contain them it cannot fail, so that it takes linear time on any text.
 */
export const secretKinds: [name: string, shape: RegExp][] = [
  ['Fermata', /fermata_(?=[a-z0-9_-]{0,19}[A-Z])[\w-]{20,}(?:\.[\w-]+)?/],
  // Forges and registries
  ['GitHub', /gh[oprsu]_\w{20,}/],
  ['GitHub, fine-grained', /github_pat_\w{20,}/],
  ['GitLab', /gl(?:agent|cbt|dt|feature|ffct|ft|imt|oas|pat|ptt|rt|soat|wt)-[\w.-]{16,}/],
  ['GitLab, runner', /GR1348941[\w-]{20,}/],
  ['Bitbucket', /ATBB[A-Za-z0-9]{24,}/],
  ['Bitbucket, repository', /ATCTT3[\w=-]{20,}/],
  ['Atlassian', /ATATT3[\w=-]{20,}/],
  ['npm', /npm_[A-Za-z0-9]{30,}/],
  ['PyPI', /pypi-[\w-]{30,}/],
  ['RubyGems', /rubygems_[a-f0-9]{40,}/],
  ['crates.io', edged('cio', /[A-Za-z0-9]{32}(?![A-Za-z0-9])/)],
  ['NuGet', edged('oy2', /[a-z0-9]{43}(?![A-Za-z0-9])/)],
  ['Clojars', /CLOJARS_[a-z0-9]{40,}/],
  ['Docker', /dckr_(?:oat|pat)_[\w-]{20,}/],
  ['JFrog', /AKCp[A-Za-z0-9]{60,}/],
  ['Sourcegraph', /sgp_\w{40,}/],
  // Models
  [
    'OpenAI, Anthropic and others',
    edged('sk-', /(?!(?:[a-z]{1,15}[-_]){0,8}[a-z]{1,15}(?![\w-]))[\w-]{16,}/),
  ],
  ['Google API', /AIza[\w-]{30,}/],
  ['Google OAuth client', /GOCSPX-[\w-]{20,}/],
  ['Google OAuth', /ya29\.[\w-]{20,}/],
  ['Google OAuth, refresh', /1\/\/0[\w-]{40,}/],
  ['Hugging Face', /hf_[A-Za-z0-9]{30,}/],
  ['Groq', edged('gsk_', /[A-Za-z0-9]{40,}/)],
  ['xAI', /xai-[A-Za-z0-9]{40,}/],
  ['Perplexity', /pplx-[A-Za-z0-9]{40,}/],
  ['Replicate', edged('r8_', /[A-Za-z0-9]{30,}/)],
  ['NVIDIA', /nvapi-[\w-]{40,}/],
  ['Pinecone', /pcsk_\w{40,}/],
  ['LangSmith', /lsv2_[ps][kt]_\w{30,}/],
  ['Tavily', /tvly-[\w-]{20,}/],
  ['ElevenLabs', edged('sk_', /[a-f0-9]{40,}/)],
  ['Cursor', /crsr_[a-f0-9]{40,}/],
  // Clouds and their tools
  ['AWS', edged('A[KS]IA', /[A-Z0-9]{16}(?![A-Za-z0-9])/)],
  ['AWS Bedrock', /ABSK[A-Za-z0-9+/]{80,}={0,2}/],
  ['Alibaba', edged('LTAI', /[A-Za-z0-9]{16,}/)],
  ['DigitalOcean', /do[opr]_v1_[a-f0-9]{40,}/],
  ['Heroku', /HRKU-[\w-]{30,}/],
  ['Fly.io', /fm[12][ar]?_[\w+/=-]{80,}/],
  ['Fly.io, personal', /fo1_[\w-]{40,}/],
  ['Vercel', edged('vc[aikpr]_', /[A-Za-z0-9]{24,}/)],
  ['Netlify', edged('nf[bcopu]_', /[A-Za-z0-9]{30,}/)],
  ['Cloudflare', /cf(?:at|k|ut)_[A-Za-z0-9]{40,}/],
  ['Cloudflare, origin', /v1\.0-[a-f0-9]{20,}-[a-f0-9]{100,}/],
  ['Render', edged('rnd_', /[A-Za-z0-9]{28,}/)],
  ['Supabase', /sbp_[a-f0-9]{40}/],
  ['Supabase, project', /sb_secret_[\w-]{20,}/],
  ['PlanetScale', /pscale_(?:oauth|pw|tkn)_[\w.-]{30,}/],
  ['Neon', edged('napi_', /[a-z0-9]{50,}/)],
  ['MongoDB Atlas', /mdb_sa_sk_[\w-]{30,}/],
  ['Databricks', edged('dapi', /[a-f0-9]{32}(?:-\d)?/)],
  ['Vault', /hv[brs]\.[\w-]{20,}/],
  ['Doppler', edged('dp\\.', /(?:audit|ct|pt|sa|scim|st)\.[\w.-]{30,}/)],
  ['1Password', /ops_eyJ[\w=+/-]{100,}/],
  ['Pulumi', /pul-[a-f0-9]{40}/],
  ['Tailscale', /tskey-[\w-]{20,}/],
  ['age', /AGE-SECRET-KEY-1[A-Z0-9]{50,}/],
  // Builds and monitoring
  ['Buildkite', /bkua_[a-f0-9]{40}/],
  ['CircleCI', /CCIPAT_\w{30,}/],
  ['SonarQube', edged('sq[apu]_', /[a-f0-9]{40}/)],
  ['Grafana', /gl(?:c|sa)_[\w+/=-]{30,}/],
  ['Sentry', /sntry[su]_[\w+/=-]{40,}/],
  ['New Relic', /NR(?:AK|II|JS)-[\w-]{20,}/],
  ['Dynatrace', /dt0[a-z]\d\d\.[A-Z0-9]{20,}\.[A-Z0-9]{40,}/],
  ['Postman', /PMAK-[\w-]{30,}/],
  // People, money and messages
  ['Slack', /xox[abeoprs](?:\.xox[bp])?-[\w-]{10,}/],
  ['Slack, app', /xapp-\d-[\w-]{20,}/],
  ['Twilio', edged('SK', /[a-f0-9]{32}(?![A-Za-z0-9])/)],
  ['SendGrid', /SG\.[\w-]{16,}\.[\w-]{16,}/],
  ['Mailgun', edged('key-', /[a-f0-9]{32}(?![A-Za-z0-9])/)],
  ['Brevo', /xkeysib-[\w-]{60,}/],
  ['Resend', edged('re_', /[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?!\w)/)],
  ['Stripe and Clerk', /[rs]k_(?:live|prod|test)_[A-Za-z0-9]{16,}/],
  ['Stripe, webhook', /whsec_[A-Za-z0-9+/=]{16,}/],
  ['Square', /sq0(?:atp|csp)-[\w-]{22,}/],
  ['Shopify', /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/],
  ['Linear', /lin_(?:api|oauth)_\w{30,}/],
  ['Notion', /ntn_\w{30,}/],
  ['Notion, older', /secret_[A-Za-z0-9]{43}(?!\w)/],
  ['Airtable', edged('pat', /[A-Za-z0-9]{14}\.[a-f0-9]{64}/)],
  ['Figma', /fig[dou]_[\w-]{30,}/],
  ['HubSpot', /pat-(?:eu|na)\d-[a-f0-9]{8}-[a-f0-9-]{27}/],
  ['Mapbox', edged('sk\\.eyJ', /[\w-]{20,}\.[\w-]{10,}/)],
  ['Typeform', /tfp_[\w-]{40,}/],
];

/**
 * One pattern for all kinds, so that a text is read once. Grouped by the first character, because V8 skips a group at once;
 * that halves the time.
 */
export const ofKnownKind = new RegExp(
  [...byFirstCharacter()]
    .map(
      ([first, rows]) => `${first}(?:${rows.map(([, { source }]) => source.slice(first.length)).join('|')})`,
    )
    .join('|'),
  'g',
);

function byFirstCharacter(): Map<string, [string, RegExp][]> {
  const groups = new Map<string, [string, RegExp][]>();
  for (const row of secretKinds) {
    const [first = ''] = /^[A-Za-z0-9]/.exec(row[1].source) ?? [];
    groups.set(first, [...(groups.get(first) ?? []), row]);
  }
  return groups;
}
