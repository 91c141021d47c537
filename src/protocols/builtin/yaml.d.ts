/** The build parses these files, so that no YAML parser is needed at run time: see scripts/protocol-files.mjs. */
declare module '*.yaml' {
  const declaration: import('../protocol.ts').Declaration;
  export default declaration;
}
