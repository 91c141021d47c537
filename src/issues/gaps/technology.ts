import type { IssueKind } from './gap.ts';
import { counts, type Found, found, type IssueText } from './read-issue.ts';
import { words } from './words.ts';

/**
 * Names of technologies, to tell "Redis or Postgres" from "on or off" in lower case. Ordinary words (go, rest, express,
 * swift, spring, node, make, less) are left out.
 */
const names = new Set(
  `postgres postgresql psql mysql mariadb sqlite sqlite3 mongodb mongo redis valkey memcached cassandra dynamodb elasticsearch
  opensearch clickhouse duckdb leveldb rocksdb neo4j supabase firebase firestore couchdb influxdb timescaledb cockroachdb oracle
  kafka rabbitmq nats zeromq mqtt celery sidekiq bullmq sqs pubsub temporal airflow
  react preact vue svelte sveltekit angular solidjs qwik ember jquery htmx alpine alpinejs nextjs nuxt remix astro gatsby
  electron tauri flutter ionic cordova qt gtk swiftui jetpack xamarin maui winui wpf
  django flask fastapi tornado starlette rails sinatra laravel symfony nestjs fastify koa hono axum actix rocket gin
  webpack vite rollup rolldown esbuild parcel turbopack babel swc tsup bazel gradle maven cmake meson ninja make nx turborepo
  jest vitest mocha jasmine ava cypress playwright selenium puppeteer pytest unittest nose junit testng rspec minitest phpunit
  typescript javascript python rust golang java kotlin scala ruby php elixir erlang haskell ocaml clojure dart lua perl zig nim
  julia wasm webassembly c# f# c++ .net dotnet
  graphql grpc protobuf thrift avro json yaml toml xml csv parquet msgpack cbor bson openapi swagger websocket websockets
  sse webrtc http oauth oauth2 oidc saml jwt ldap kerberos
  docker podman kubernetes k8s helm terraform pulumi ansible nomad vagrant nix jenkins circleci travis gitlab github
  aws azure gcp heroku vercel netlify cloudflare s3 lambda minio nginx apache caddy traefik envoy haproxy
  tailwind tailwindcss bootstrap sass less scss css bulma chakra antd vuetify mui material
  prisma drizzle typeorm sequelize knex kysely sqlalchemy diesel sqlx hibernate mongoose
  redux zustand mobx pinia vuex rxjs axios lodash moment dayjs luxon zod yup joi eslint prettier biome pylint ruff black mypy
  sentry prometheus grafana datadog opentelemetry otel jaeger zipkin loki elk kibana logstash
  npm yarn pnpm bun deno nodejs pip poetry uv conda cargo composer bundler nuget
  openai anthropic ollama llama langchain pytorch tensorflow keras jax onnx numpy pandas polars spark dask
  opencv opengl vulkan webgl webgpu d3 d3js threejs echarts chartjs leaflet mapbox pdfkit stripe paypal braintree adyen
  yajl jansson rapidjson libxml2 expat xerces pugixml boost asio libuv tokio
  mkdocs sphinx docusaurus hugo jekyll vuepress vitepress markdown asciidoc latex`
    .split(/\s+/)
    .filter(Boolean),
);

export function isTechnology(word: string): boolean {
  return names.has(word.toLowerCase().replace(/^[("'`]|[)"'`,.:;!?]+$/g, ''));
}

/** Whether a word is a name: known, in capitals, or capitalised inside a sentence. */
function looksLikeName(word: string): boolean {
  return isTechnology(word) || /^\p{Lu}[\p{L}\p{N}.+#-]+$/u.test(word) || /[a-z][A-Z]|\.js$|\d/.test(word);
}

const MOST = 5;
const thing =
  '(?:librar(?:y|ies)|libs?|frameworks?|databases?|dbs?|data ?stores?|orm|tools?|tooling|tech(?:nolog(?:y|ies))?(?: stack)?|stack|languages?|protocols?|providers?|engines?|packages?|sdks?|bundlers?|runtimes?|platforms?|test runners?|queues?|cloud|hosting|brokers?)';
const choosingWords = words`
  (?:decid(?:e|ing)|choos(?:e|ing)|pick(?:ing)?|select(?:ing)?|evaluat(?:e|ing)|compar(?:e|ing)|consider(?:ing)?|find|determine|settle|agree)(?: on| upon| between| which| what| a| an| the| one| from| and \w+| suitable| good| best| right| new| other| \w+){0,4} ${thing}
  (?:which|what) (?:\w+ ){0,3}?${thing}; ${thing} (?:choice|selection|decision); deciding \w+
`;
const whichWords = words`
  (?:which|what)(?: kind of)? (?:\w+ ){0,3}?${thing} (?:to|should|shall|do|does|would|could|can|we|will|is (?:best|better)|are|fits?); ${thing} (?:is |are )?(?:tbd|undecided|not (?:yet )?decided|to be (?:decided|chosen))
  (?:decide|choose|pick|think again about|evaluate|compare|settle)(?: on| between| which| a| an| the| one| other| \w+){0,3} ${thing}; ${thing} has to be (?:chosen|decided|picked|selected); (?:anyone|anybody) know a good (?:way|${thing})
`;
const openWords = words`
  maybe; perhaps; either; could (?:also )?(?:use|be|go|switch|send|do|store|write|come); might; may (?:use|be); should we; not sure; unsure; undecided; decide; consider(?:ing)?; evaluate; options?; choose; alternatively; tbd; vs\.?; versus
  or maybe; something like; thinking (?:of|about); compare; probably; wondering; would be (?:the )?(?:best|better|easier); easier; suggestion; not (?:yet )?decided(?: yet)?; prefer\w*
`;
const decidedWords = words`
  (?:was|were|is|are|been|have|has|i) (?:already )?(?:chosen|chose|selected|settled|picked); we (?:chose|decided|settled|went with|picked|will use|'ll use|are using|are going with); let's (?:use|go with); decision: \w; decided (?:on|to use)
`;

interface OpenTechnology extends Found {
  /** As the text writes them. */
  alternatives: string[];
}

/** A choice of technology that the text leaves open: asked for, or named side by side. */
export const openTechnology = (text: IssueText, kind: IssueKind): OpenTechnology => {
  const none = { amount: 0, places: [], alternatives: [] };
  if (kind === 'bug' || kind === 'question') return none;
  if (text.all.some(({ sentences }) => sentences.some((each) => decidedWords.test(each.text)))) return none;
  const inTitle = technologyIn(text.title, true) ?? (choosingWords.test(text.title) ? [] : undefined);
  const inBody = text.body.sentences.flatMap((sentence) => {
    const names = counts(sentence) ? technologyIn(sentence.text) : undefined;
    return names ? [{ names, place: sentence.place() }] : [];
  });
  if (!inTitle && inBody.length === 0) return none;
  const named =
    [inTitle ?? [], ...inBody.map(({ names }) => names)].find((names) => names.length > 0) ?? listed(text);
  return {
    ...found([...(inTitle ? [text.titlePlace] : []), ...inBody.map(({ place }) => place)]),
    alternatives: named,
  };
};

const notDecided = words`
  (?:not|(?:have|has)(?:n't| not)) (?:yet )?(?:been )?decided(?: yet)?; undecided; not sure; tbd; to be decided; still open
`;

/** What a sentence leaves to choose from; undefined if it leaves nothing open. */
export function technologyIn(sentence: string, isTitle = false): string[] | undefined {
  const names = namesBesideOr(sentence);
  if (whichWords.test(sentence)) return names;
  if (names.length < 2 || !(names.some(isProduct) || notDecided.test(sentence))) return undefined;
  return isTitle || openWords.test(sentence) || /\?\s*$/.test(sentence) ? names : undefined;
}

/** "JSON or YAML" is more often what a program can write than how it is built. */
const formats = /^(?:json|ya?ml|csv|tsv|xml|toml|html?|markdown|pdf|xlsx?|css|sql|http|websockets?|sse)$/i;
const isProduct = (name: string) => isTechnology(name) && !formats.test(name);
const clean = (token: string) => token.replace(/^[("'`[]+|[)"'`\],.:;!?…]+$/g, '');
const small = /^(?:maybe|perhaps|even|a|an|the|through|via|with|using|use|in|by)$/i;
const joins = /^(?:or|vs\.?|versus|and|but|since)$/i;

/** `A, B or C`, `A vs B`, `A would be best, but B …`: names of technologies around a word that sets them side by side. */
function namesBesideOr(sentence: string): string[] {
  const tokens = sentence
    .replaceAll(',', ', ')
    .split(/\s+|(?=\/)/)
    .slice(0, 200);
  const found: string[] = [];
  tokens.forEach((token, index) => {
    const slash = token.startsWith('/') && token.length > 1;
    if (!slash && !/^(?:or|vs\.?|versus)$/i.test(token)) return;
    const before = namesBefore(tokens, index);
    let next = index + (slash ? 0 : 1);
    while (small.test(tokens[next] ?? '')) next += 1;
    const after = clean((tokens[next] ?? '').replace(/^\//, ''));
    if (before.length > 0 && looksLikeName(after)) found.push(...before, after);
  });
  if (found.length === 0 && openWords.test(sentence) && tokens.some((token) => joins.test(token)))
    found.push(...tokens.map(clean).filter(isProduct));
  return [...new Set(found)].slice(0, MOST);
}

/** Walks back over `A, B,` and `through A`. */
function namesBefore(tokens: string[], index: number): string[] {
  const found: string[] = [];
  for (let at = index - 1; at >= 0 && found.length < MOST; at -= 1) {
    const token = tokens[at] ?? '';
    if (found.length > 0 && !token.endsWith(',')) break;
    const name = clean(token);
    if (!looksLikeName(name)) break;
    found.unshift(name);
  }
  return found;
}

/** A question without alternatives gets those from a list after it. */
function listed({ body }: IssueText): string[] {
  const items = body.sentences
    .filter(({ item }) => item)
    .map(({ text }) => clean(text.trim().split(/[\s:(,–-]/)[0] ?? ''));
  return [...new Set(items.filter((name) => isTechnology(name)))].slice(0, MOST);
}
