/** The build reads these files, so that no YAML parser is needed at run time: see scripts/data-files.mjs. */
declare module '*.yaml' {
  const declaration: import('./protocols/protocol.ts').Declaration;
  export default declaration;
}

declare module '*.txt' {
  const text: string;
  export default text;
}

declare module '*.md' {
  const text: string;
  export default text;
}
