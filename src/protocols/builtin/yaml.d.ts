/** The build reads these files, so that a start needs no YAML parser: see scripts/protocol-files.mjs. */
declare module '*.yaml' {
  const declaration: import('../protocol.ts').Declaration;
  export default declaration;
}
