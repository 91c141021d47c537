/**
 * Names of technologies, to tell "Redis or Postgres" from "on or off" in lower case. Ordinary words (go, rest, express,
 * swift, spring, node, make, less) are left out; they count only as `Go`, `REST` … next to another one.
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
  opencv opengl vulkan webgl webgpu d3 d3js threejs echarts chartjs leaflet mapbox
  yajl jansson rapidjson libxml2 expat xerces pugixml boost asio libuv tokio
  mkdocs sphinx docusaurus hugo jekyll vuepress vitepress markdown asciidoc latex`
    .split(/\s+/)
    .filter(Boolean),
);

export function isTechnology(word: string): boolean {
  return names.has(word.toLowerCase().replace(/^[("'`]|[)"'`,.:;!?]+$/g, ''));
}

/** Whether a word in a masked text is a name: known, in code, in capitals, or capitalised inside a sentence. */
export function looksLikeName(word: string): boolean {
  return isTechnology(word) || /^[\p{Lu}][\p{L}\p{N}.+#-]+$/u.test(word) || /[a-z][A-Z]|\.js$|\d/.test(word);
}
