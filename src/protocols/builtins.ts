import bugDiscovery from './builtin/bug-discovery.yaml';
import debugging from './builtin/debugging.yaml';
import discovery from './builtin/discovery.yaml';
import implementation from './builtin/implementation.yaml';
import type { Declaration } from './protocol.ts';

/** The protocols that come with the package, by name. */
export const builtins: ReadonlyMap<string, Declaration> = new Map(
  [implementation, debugging, discovery, bugDiscovery].map((declaration) => [declaration.name, declaration]),
);
