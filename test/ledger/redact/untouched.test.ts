// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of shells and workflows

import { expect, it } from 'vitest';
import { redactor } from '../../../src/ledger/redact/redact.ts';

const redact = redactor({});

/** People approve commands and read diffs as they are, so these have to stay readable. */
const untouched = [
  // Prose
  'The api_key parameter is required, and the password must have 12 characters.',
  'Which password policy: strict-2026 or relaxed?',
  'Rename the secret: my-secret, or keep it?',
  'Password: required. Token: optional.',
  'The token: an opaque string of 32 bytes.',
  'Use bearer authentication/authorization-required for all routes.',
  'Bearer authentication-required-everywhere',
  'Basic understanding-of-the-protocol',
  'Is the risk-based sk-learn-pipeline-for-tests package ok?',
  'Cookie: none. Set the cookie with SameSite=Strict; Path=/admin/settings.',
  'Unexpected token: "}" at line 12 of package-lock.json',
  'Secrets: 12 found, 3 rotated. Tokens: 12,000 in, 4,000 out.',
  'We compared key-value stores: key-0123, key-by-key.',
  'Set max_tokens=4096, input_tokens: 120000 and token_count = 1234567890.',
  'the login form asks for login and password before anything2',
  // Code
  'interface Login { user: string; password: string; token?: string }',
  'password: z.string().min(12), secret: z.base64url()',
  'const password: Uint8Array = new Uint8Array(32);',
  'const token = await createToken2(user1);',
  'connect(user=user, password=password, token=access_token)',
  'login({ user, password: form.password1, apiKey: config.apiKey2 })',
  'const apiKey = process.env.API_KEY ?? process.env["API_KEY_2"];',
  'API_KEY = os.environ["API_KEY_2"]',
  'SECRET_KEY = config("SECRET_KEY_2")',
  'if (password !== confirmation2) throw new Error("password: mismatch");',
  '{"type":"object","properties":{"password":{"type":"string","minLength":12}}}',
  '{"password": "Enter your password", "token": "Your token2 here"}',
  'this.#token = token; return { token, secret: secret.toString("base64") };',
  'token: sha256-hex, secret: base64url, key: ed25519',
  'api_key: str | None = None',
  'auth: { type: "basic1234" }, "auth": "required"',
  'tokenizer=cl100k_base, secretary: room204b, passthrough=layer12b',
  // Placeholders and references
  'password=${PASSWORD}',
  'password=$DB_PASSWORD_2',
  'DB_PASSWORD=${DB_PASSWORD:-postgres123}',
  'GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN_2 }}',
  'DB_PASSWORD="$(pass show shop/db1)"',
  'curl -u ann:$PASSWORD1 https://example.com',
  'curl -H "Authorization: Bearer $TOKEN1" https://example.com',
  'curl -H "Authorization: Bearer <token>" https://example.com',
  'Authorization: Bearer YOUR_TOKEN_HERE',
  'password=<password>, api_key=<your-api-key-2>',
  'API_KEY=your-api-key, TOKEN=xxxxxxxxxxxxxxxx, PASSWORD=********',
  'PASSWORD=changeme, DB_PASSWORD=example-password',
  'export OPENAI_API_KEY=sk-your-openai-key-goes-here AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE',
  'postgres://ann:${DB_PASSWORD}@db/shop and postgres://user:password@localhost/shop',
  'password: !vault |',
  'secretKeyRef: { name: shop-db-2, key: password }',
  'token_file=/run/secrets/token1, PASSWORD_FILE=/run/secrets/db1',
  'client_secret: op://vault/shop-2/secret',
  'aws_access_key_id_2, SecretName: shop-db-2026a',
  // Commands
  'docker login --username ann --password-stdin ghcr.io',
  'docker build --secret id=npmrc1,src=.npmrc .',
  'tool --token-file /run/token1 --password-command "pass show x1"',
  '      --password string   Password or Personal Access Token (PAT)',
  'docker run -u 1000:1000 -p 8080:8080 node:20.19.0',
  'git clone https://github.com/octo/shop.git && git -C shop log --author=ann@example.com',
  'git clone ssh://git@git.example.com:2222/octo/shop.git',
  'git show 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  'git checkout 0123456789abcdef0123456789abcdef01234567 -- src/auth/token-store.ts',
  'psql -h db -U ann -c "alter role ann password null"',
  "npm config set //registry.npmjs.org/:_authToken '${NPM_TOKEN_2}'",
  'fermata answer n-4k7qz2m9t1 Yes --store fermata_test_database_for_the_second_team',
  'fermata_http_request_seconds_count{method="GET",status="200"} 12',
  'mcp__fermata__ask_human_about_the_database_and_everything_else',
  // Identifiers
  'id 550e8400-e29b-41d4-a716-446655440000, session_id: 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'integrity: sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
  'node_modules/.pnpm/@babel+core@7.24.5_supports-color@8.1.1/node_modules',
  'https://example.com:8080/a@b?page=2&sort=key_1',
  'arn:aws:iam::123456789012:role/deploy-2026',
  'NotificationServiceFactory.create.someVeryLongMethodNameHereInOurCode',
  'apiKeyJwtServiceImpl.validateTokenOf.somethingElseLong',
];

it.each(untouched)('BIND-23 %j stays as it is', (text) => {
  expect(redact(text)).toBe(text);
  expect(redact(text, 'verbatim')).toBe(text);
});
