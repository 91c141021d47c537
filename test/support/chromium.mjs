import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');
const VERSION = '147.0.0';

/** There is no Chromium for this platform. */
export class ChromiumMissing extends Error {}

/** The Chromium of @sparticuz/chromium: a browser from an npm package, which also runs as root. */
export async function launchChromium() {
  const program = chromiumProgram();
  const env = { ...process.env, LD_LIBRARY_PATH: libraries(program) };
  try {
    // Its sandbox needs rights that a container rarely has, and it only shows our own pages.
    return await chromium.launch({
      executablePath: program,
      args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
      env,
    });
  } catch (cause) {
    throw new ChromiumMissing(`The Chromium of @sparticuz/chromium does not start here: ${String(cause)}`, {
      cause,
    });
  }
}

/** Unpacked once, first under a temporary name, so that two tests may do it at the same time. */
function chromiumProgram() {
  const named = process.env.FERMATA_TEST_CHROMIUM;
  if (named) return named;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new ChromiumMissing(
      `@sparticuz/chromium is for Linux on x64 only; name a Chromium in FERMATA_TEST_CHROMIUM.`,
    );
  }
  const folder = join(CACHE, `fermata-chromium-${VERSION}`);
  const program = join(folder, 'chromium');
  if (existsSync(program)) return program;
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    unpack(draft);
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(program)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return program;
}

/** The package unpacks into TMPDIR, and its own libraries only if it believes to be in its usual place. */
function unpack(folder) {
  const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new ChromiumMissing(`@sparticuz/chromium could not be unpacked: ${stderr}`);
}

/** Its own copies of libraries that this machine lacks. */
function libraries(program) {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  const own = process.env.LD_LIBRARY_PATH ?? '';
  if (!stdout?.includes('not found')) return own;
  return [join(dirname(program), 'al2023', 'lib'), own].filter(Boolean).join(':');
}
