/** Names of files that may hold secrets, as Claude Code's rules and `isSecretFile` read them: `*` is any part of a name. */
export const SECRET_FILES = [
  '.env',
  '.env.*',
  '.envrc',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.keystore',
  'id_rsa*',
  'id_ed25519*',
  'id_ecdsa*',
  '*credentials*',
  'secrets.*',
] as const;

const secret = new RegExp(
  `^(?:${SECRET_FILES.map((name) => name.replaceAll('.', '\\.').replaceAll('*', '.*')).join('|')})$`,
  'i',
);

/** Whether a file, by its name, may hold secrets. */
export const isSecretFile = (path: string) => secret.test(path.split(/[\\/]/).at(-1) ?? '');
