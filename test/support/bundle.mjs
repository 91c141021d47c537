// node bundle.mjs INPUT OUTPUT SQLITE: bundles a program of the tests, with the absolute path of the native module.
import { rolldown } from 'rolldown';
import { protocolFiles } from '../../scripts/protocol-files.mjs';

const [input, file, sqlite] = process.argv.slice(2);
const build = await rolldown({
  input,
  platform: 'node',
  external: ['pg-native'],
  plugins: [
    protocolFiles(),
    {
      name: 'sqlite',
      resolveId: (id) => (id === '@photostructure/sqlite' ? { id: sqlite, external: true } : null),
    },
  ],
  transform: { target: 'node20.19' },
  logLevel: 'warn',
});
await build.write({ file, format: 'cjs', codeSplitting: false, dynamicImportInCjs: false });
await build.close();
