import { type Check, ok, warning } from './check.ts';

/** What the tests run on with every change. Other platforms are supported, but the tests only simulate their differences. */
const TESTED = 'linux x64 glibc';

/** `libc` is undefined if the system has only one. */
export function judgePlatform(platform: string, arch: string, libc: string | undefined): Check {
  const kind = [platform, arch, ...(libc ? [libc.replace(/ .*/, '')] : [])].join(' ');
  const detail = [platform, arch, ...(libc ? [libc] : [])].join(', ');
  if (platform !== 'linux' && platform !== 'darwin')
    return warning(
      'platform',
      detail,
      'Fermata supports Linux, macOS and WSL2. It is not tested on other systems.',
    );
  return ok(
    'platform',
    `${detail} (${kind === TESTED ? 'tested with every change' : 'supported, but not tested with every change'})`,
  );
}

export function checkPlatform(): Check {
  return judgePlatform(process.platform, process.arch, process.platform === 'linux' ? libcHere() : undefined);
}

function libcHere(): string {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const glibc = report.header?.glibcVersionRuntime;
  return glibc ? `glibc ${glibc}` : 'musl';
}
