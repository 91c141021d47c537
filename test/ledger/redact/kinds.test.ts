import { describe, expect, it } from 'vitest';
import { newSecret } from '../../../src/ledger/ids.ts';
import { redactor } from '../../../src/ledger/redact/redact.ts';
import { secretKinds } from '../../../src/ledger/redact/secret-kinds.ts';

const redact = redactor({});
const GONE = '[redacted]';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const BASE62 = DIGITS + LOWER + LOWER.toUpperCase();
const CAPITALS = DIGITS + LOWER.toUpperCase();

let seed = 23;
/** Made here, so that no scanner takes this file for a leak. The same in each run. */
function some(length: number, alphabet = BASE62): string {
  return Array.from({ length }, () => {
    seed = (seed * 48271) % 2147483647;
    return alphabet.charAt(seed % alphabet.length);
  }).join('');
}
const uuid = () => [8, 4, 4, 4, 12].map((length) => some(length, HEX)).join('-');

const samples: Record<string, string[]> = {
  Fermata: [newSecret(), `${newSecret()}${some(60)}.${some(43)}`],
  GitHub: ['p', 'o', 'u', 's', 'r'].map((kind) => `gh${kind}_${some(36)}`),
  'GitHub, fine-grained': [`github_pat_${some(22)}_${some(59)}`],
  GitLab: ['pat', 'rt', 'ptt', 'dt', 'cbt', 'ft', 'soat'].map((kind) => `gl${kind}-${some(20)}`),
  'GitLab, runner': [`GR1348941${some(20)}`],
  Bitbucket: [`ATBB${some(32)}`],
  'Bitbucket, repository': [`ATCTT3xFfGN0${some(60)}=${some(8)}`],
  Atlassian: [`ATATT3xFfGF0${some(180)}=${some(8)}`],
  npm: [`npm_${some(36)}`],
  PyPI: [`pypi-AgEIcHlwaS5vcmc${some(120)}`],
  RubyGems: [`rubygems_${some(48, HEX)}`],
  'crates.io': [`cio${some(32)}`],
  NuGet: [`oy2${some(43, DIGITS + LOWER)}`],
  Clojars: [`CLOJARS_${some(60, DIGITS + LOWER)}`],
  Docker: [`dckr_pat_${some(27)}`, `dckr_oat_${some(32)}`],
  JFrog: [`AKCp${some(69)}`],
  Sourcegraph: [`sgp_${some(40, HEX)}`],
  'OpenAI, Anthropic and others': [
    `sk-${some(48)}`,
    `sk-proj-${some(80)}_${some(40)}`,
    `sk-ant-api03-${some(93)}-${some(6)}AA`,
    `sk-or-v1-${some(64, HEX)}`,
  ],
  'Google API': [`AIza${some(35)}`],
  'Google OAuth client': [`GOCSPX-${some(28)}`],
  'Google OAuth': [`ya29.${some(100)}`],
  'Google OAuth, refresh': [`1//0${some(60)}`],
  'Hugging Face': [`hf_${some(34)}`],
  Groq: [`gsk_${some(52)}`],
  xAI: [`xai-${some(80)}`],
  Perplexity: [`pplx-${some(48)}`],
  Replicate: [`r8_${some(37)}`],
  NVIDIA: [`nvapi-${some(64)}`],
  Pinecone: [`pcsk_${some(6)}_${some(60)}`],
  LangSmith: [`lsv2_pt_${some(32, HEX)}_${some(10, HEX)}`],
  Tavily: [`tvly-dev-${some(32)}`],
  ElevenLabs: [`sk_${some(48, HEX)}`],
  Cursor: [`crsr_${some(64, HEX)}`],
  AWS: [`AKIA${some(16, CAPITALS)}`, `ASIA${some(16, CAPITALS)}`],
  'AWS Bedrock': [`ABSK${some(128)}`],
  Alibaba: [`LTAI${some(20)}`],
  DigitalOcean: [`dop_v1_${some(64, HEX)}`],
  Heroku: [`HRKU-AA${some(58)}`],
  'Fly.io': [`fm2_${some(200)}`],
  'Fly.io, personal': [`fo1_${some(43)}`],
  Vercel: [`vcp_${some(56)}`],
  Netlify: [`nfp_${some(36)}`],
  Cloudflare: [`cfut_${some(48)}`],
  'Cloudflare, origin': [`v1.0-${some(24, HEX)}-${some(146, HEX)}`],
  Render: [`rnd_${some(28)}`],
  Supabase: [`sbp_${some(40, HEX)}`],
  'Supabase, project': [`sb_secret_${some(31)}`],
  PlanetScale: [`pscale_tkn_${some(43)}`, `pscale_pw_${some(43)}`],
  Neon: [`napi_${some(64, DIGITS + LOWER)}`],
  'MongoDB Atlas': [`mdb_sa_sk_${some(40)}`],
  Databricks: [`dapi${some(32, HEX)}`, `dapi${some(32, HEX)}-2`],
  Vault: [`hvs.${some(90)}`, `hvb.${some(130)}`],
  Doppler: [`dp.pt.${some(43)}`, `dp.st.dev.${some(43)}`],
  '1Password': [`ops_eyJ${some(200)}`],
  Pulumi: [`pul-${some(40, HEX)}`],
  Tailscale: [`tskey-auth-${some(17)}-${some(32)}`],
  age: [`AGE-SECRET-KEY-1${some(58, CAPITALS)}`],
  Buildkite: [`bkua_${some(40, HEX)}`],
  CircleCI: [`CCIPAT_${some(22)}_${some(40, HEX)}`],
  SonarQube: [`squ_${some(40, HEX)}`],
  Grafana: [`glsa_${some(32)}_${some(8, HEX)}`, `glc_${some(120)}=`],
  Sentry: [`sntrys_${some(120)}=_${some(43)}`, `sntryu_${some(64, HEX)}`],
  'New Relic': [`NRAK-${some(27, CAPITALS)}`],
  Dynatrace: [`dt0c01.${some(24, CAPITALS)}.${some(64, CAPITALS)}`],
  Postman: [`PMAK-${some(24, HEX)}-${some(34, HEX)}`],
  Slack: [`xoxb-${some(12, DIGITS)}-${some(12, DIGITS)}-${some(24)}`, `xoxe.xoxp-1-${some(160)}`],
  'Slack, app': [`xapp-1-A${some(10, CAPITALS)}-${some(13, DIGITS)}-${some(64, HEX)}`],
  Twilio: [`SK${some(32, HEX)}`],
  SendGrid: [`SG.${some(22)}.${some(43)}`],
  Mailgun: [`key-${some(32, HEX)}`],
  Brevo: [`xkeysib-${some(64, HEX)}-${some(16)}`],
  Resend: [`re_${some(8)}_${some(24)}`],
  'Stripe and Clerk': [`sk_live_${some(24)}`, `rk_test_${some(24)}`],
  'Stripe, webhook': [`whsec_${some(32)}`],
  Square: [`sq0atp-${some(22)}`],
  Shopify: ['at', 'ca', 'pa', 'ss'].map((kind) => `shp${kind}_${some(32, HEX)}`),
  Linear: [`lin_api_${some(40)}`],
  Notion: [`ntn_${some(46)}`],
  'Notion, older': [`secret_${some(43)}`],
  Airtable: [`pat${some(14)}.${some(64, HEX)}`],
  Figma: [`figd_${some(40)}`],
  HubSpot: [`pat-na1-${uuid()}`],
  Mapbox: [`sk.eyJ${some(60)}.${some(22)}`],
  Typeform: [`tfp_${some(59)}`],
};

/** Found by other means than how they begin. */
const others: Record<string, string[]> = {
  'Azure client': [`${some(3)}8Q~${some(34)}`],
  'Azure DevOps': [`${some(76)}AZDO${some(4)}`],
  'Discord bot': [`MT${some(24)}.G${some(5)}.${some(38)}`],
  Mailchimp: [`${some(32, HEX)}-us12`],
  'New Relic licence': [`${some(36, HEX)}NRAL`],
  'Telegram bot': [`${some(10, DIGITS)}:AA${some(33)}`],
  Terraform: [`${some(14)}.atlasv1.${some(67)}`],
  'web token': [`eyJ${some(33)}.eyJ${some(80)}.${some(43)}`],
};

it('BIND-23 there is a sample of each kind', () => {
  expect(Object.keys(samples)).toEqual(secretKinds.map(([name]) => name));
});

const all = Object.entries({ ...samples, ...others }).flatMap(([name, each]) =>
  each.map((one) => [name, one]),
);

it.each(all)('BIND-23 a secret of %s is hidden wherever it is', (_, secret = '') => {
  const places = [
    (value: string) => value,
    (value: string) => `Is ${value}, the right one?`,
    (value: string) => `(${value})`,
    (value: string) => `"${value}"`,
    (value: string) => `{\\"x\\":\\"${value}\\"}`,
    (value: string) => `first\\n${value}\\nlast`,
    (value: string) => `\u001b[31m${value}\u001b[0m`,
    (value: string) => `curl https://example.com/?x=${value}&y=1`,
    (value: string) => `x=%20${value}`,
    (value: string) => `**${value}**`,
  ];
  for (const place of places) {
    expect(redact(place(secret)), place('…')).toBe(place(GONE));
    expect(redact(place(secret), 'verbatim'), place('…')).toBe(place(GONE));
  }
});

const VALUE = `${some(9)}7${some(9)}`;
const base64 = Buffer.from(`ann:${VALUE}`).toString('base64');
const long = `${some(18)}7+${some(18)}=`;

const named: [text: string, clean: string][] = [
  ['password=%', 'password=#'],
  ['DB_PASSWORD: %', 'DB_PASSWORD: #'],
  ['{"password":"%"}', '{"password":"#"}'],
  ['{"user": "ann", "password": "%", "port": 5432}', '{"user": "ann", "password": "#", "port": 5432}'],
  [String.raw`{\"password\":\"%\",\"port\":1}`, String.raw`{\"password\":\"#\",\"port\":1}`],
  ["db_password = '%'", "db_password = '#'"],
  ['dbPassword: "%",', 'dbPassword: "#",'],
  ['passwd=%', 'passwd=#'],
  ['the pass: %', 'the pass: #'],
  ['Server=db;User Id=ann;Pwd=%;Encrypt=true', 'Server=db;User Id=ann;Pwd=#;Encrypt=true'],
  ['{"password":"swordfish"}', '{"password":"#"}'],
  ['mysql --password=swordfish shop', 'mysql --password=# shop'],
  ['POST /login password=swordfish&user=ann', 'POST /login password=#&user=ann'],
  ['api_key=%', 'api_key=#'],
  ['https://example.com/?api_key=%&page=2', 'https://example.com/?api_key=#&page=2'],
  ['X-Api-Key: %', 'X-Api-Key: #'],
  ["curl -H 'X-Api-Key: %' https://example.com", "curl -H 'X-Api-Key: #' https://example.com"],
  ['x-auth-token: %', 'x-auth-token: #'],
  [`Authorization: Basic ${base64}`, 'Authorization: Basic #'],
  ['Authorization: Bearer %', 'Authorization: Bearer #'],
  ['"Authorization": "token %"', '"Authorization": "token #"'],
  ['authorization: %', 'authorization: #'],
  ['Cookie: theme=dark; session=%', 'Cookie: theme=dark; session=#'],
  [
    'Set-Cookie: sid=%; Path=/admin/area; Max-Age=36000000; HttpOnly',
    'Set-Cookie: sid=#; Path=/admin/area; Max-Age=36000000; HttpOnly',
  ],
  ['curl -u ann:% https://example.com', 'curl -u ann:# https://example.com'],
  ['curl https://example.com --user "ann:%"', 'curl https://example.com --user "ann:#"'],
  ['tool login --password % --user ann', 'tool login --password # --user ann'],
  ['tool --api-key=%', 'tool --api-key=#'],
  ['tool --token "%"', 'tool --token "#"'],
  ['//registry.npmjs.org/:_authToken=%', '//registry.npmjs.org/:_authToken=#'],
  [`//npm.example.com/:_auth=${base64}`, '//npm.example.com/:_auth=#'],
  [`{"auths":{"ghcr.io":{"auth":"${base64}"}}}`, '{"auths":{"ghcr.io":{"auth":"#"}}}'],
  [`{"SecretAccessKey":"${long}","SessionToken":"${long}"}`, '{"SecretAccessKey":"#","SessionToken":"#"}'],
  [`aws_secret_access_key = ${long}`, 'aws_secret_access_key = #'],
  [`aws_session_token=${long}`, 'aws_session_token=#'],
  [`AccountName=shop;AccountKey=${long};EndpointSuffix=x`, 'AccountName=shop;AccountKey=#;EndpointSuffix=x'],
  ['client_secret: %', 'client_secret: #'],
  ['SECRET_KEY_BASE=%', 'SECRET_KEY_BASE=#'],
  ['postgres://ann:%@db.example.com/shop', 'postgres://ann:#@db.example.com/shop'],
  ['redis://:p@ss-%@cache:6379', 'redis://:#@cache:6379'],
  [
    "fatal: unable to access 'https://ann:%@git.example.com/x.git/'",
    "fatal: unable to access 'https://ann:#@git.example.com/x.git/'",
  ],
  ['https://%@git.example.com/x.git', 'https://#@git.example.com/x.git'],
  ['https://hooks.slack.com/services/T0%/B0%/%', 'https://hooks.slack.com/services/#'],
  [
    'https://discord.com/api/webhooks/112233445566778899/%%%%',
    'https://discord.com/api/webhooks/112233445566778899/#',
  ],
  ['machine example.com login ann password %', 'machine example.com login ann password #'],
  ["create role ann login password '%'", "create role ann login password '#'"],
  ["create user ann identified by '%'", "create user ann identified by '#'"],
  [`https://x.blob.core.windows.net/y?sp=r&sig=${some(40)}`, 'https://x.blob.core.windows.net/y?sp=r&sig=#'],
  [
    `https://x.s3.amazonaws.com/y?X-Amz-Signature=${some(64, HEX)}`,
    'https://x.s3.amazonaws.com/y?X-Amz-Signature=#',
  ],
  ['FERMATA_PASS=%', 'FERMATA_PASS=#'],
  ['FERMATA_KEY=%', 'FERMATA_KEY=#'],
  ['X-Fermata-Page-Key: %', 'X-Fermata-Page-Key: #'],
];

it.each(named)('BIND-23 the value in %s is hidden, and nothing else', (text, clean) => {
  const [shown, expected] = [text.replaceAll('%', VALUE), clean.replaceAll('#', GONE)];
  expect(redact(shown)).toBe(expected);
  expect(redact(shown, 'verbatim')).toBe(expected);
  expect(redact(expected)).toBe(expected);
});

describe('BIND-23 our own secrets', () => {
  it.each([
    ['the login link', (value: string) => `http://127.0.0.1:4777/#login=${value}`],
    ['an answer link', (value: string) => `https://hub.example.org/a/${value}`],
    ['a pass', (value: string) => `env: FERMATA_PASS=${value}`],
    ['a cookie', (value: string) => `fermata-4777=${value}`],
    ['a sentence', (value: string) => `I found ${value}.`],
  ])('%s', (_, place) => {
    expect(redact(place(newSecret()))).toBe(place(GONE));
  });

  it('an answer link with its signature', () => {
    expect(redact(`/a/${newSecret()}${some(100)}.${some(43)} now`)).toBe(`/a/${GONE} now`);
  });
});

it.each([
  ['XML', `<password>${VALUE}</password>`, `<password>${GONE}</password>`],
  [
    'a key that ends',
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${some(64)}\n-----END PGP PRIVATE KEY BLOCK-----`,
    GONE,
  ],
])('BIND-23 in prose, %s is hidden', (_, text, clean) => {
  expect(redact(text)).toBe(clean);
});
