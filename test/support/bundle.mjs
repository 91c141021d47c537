// node bundle.mjs INPUT OUTPUT: bundles a program of the tests.
import { rolldown } from 'rolldown';
import { dataFiles } from '../../scripts/data-files.mjs';

const [input, file] = process.argv.slice(2);
const build = await rolldown({
  input,
  platform: 'node',
  external: ['@photostructure/sqlite', 'pg-native'],
  plugins: [dataFiles()],
  transform: { target: 'node20.19' },
  logLevel: 'warn',
});
await build.write({ file, format: 'cjs', codeSplitting: false, dynamicImportInCjs: false });
await build.close();
