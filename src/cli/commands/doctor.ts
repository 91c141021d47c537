import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { missingSandbox } from '../../agents/sandbox/require-sandbox.ts';
import { colorsOn } from '../../channels/colors.ts';
import { loadSettings, type Settings } from '../../config/settings.ts';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import { visible } from '../../schema/visible.ts';
import { ClaudeConnection } from '../../sessions/claude/connect.ts';
import { ineffective } from '../../work/trust/gather.ts';
import type { CommonOptions } from '../command.ts';
import { type Check, error, ok, warning } from '../doctor/check.ts';
import { checkPrograms } from '../doctor/programs.ts';
import { checkStore } from '../doctor/store.ts';
import { exit } from '../exit.ts';
import { interruptible } from '../interrupt.ts';
import { isNewStore } from '../named-store.ts';
import { print, printJson, tell } from '../output.ts';

export function define(command: Command): void {
  command
    .description(
      'Check Node, git, gh, the agents, the platform, the sandbox, the configuration and the ledger, and say how to fix what is wrong.',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata doctor
  fermata doctor --format json | jq '.checks[] | select(.status != "ok")'

Exit codes: 0 nothing is broken (a missing optional program is only a warning), 1 something has to be fixed.`,
    )
    .action(async (options: CommonOptions) => {
      const checks = await interruptible(async (signal) => {
        const found = await runChecks(options, signal);
        return signal.aborted ? undefined : found;
      });
      if (!checks) {
        process.exitCode = exit.interrupted;
        return;
      }
      await report(checks, options);
    });
}

async function runChecks(options: CommonOptions, signal: AbortSignal): Promise<Check[]> {
  const { check, settings } = checkConfig(options);
  const [programs, store] = await Promise.all([
    checkPrograms(process.env, signal),
    settings
      ? checkNamedStore(settings, signal)
      : [warning('ledger', 'not checked', 'Correct the configuration first.')],
  ]);
  const sandbox = checkSandbox(process.env);
  return [
    ...programs,
    checkPlatform(),
    ...(sandbox ? [sandbox] : []),
    ...checkSessions(process.env),
    check,
    ...store,
  ];
}

/** A check must not create a file that somebody named. */
async function checkNamedStore(settings: Settings, signal: AbortSignal): Promise<Check[]> {
  const { value, from } = settings.store;
  if (!isNewStore(settings)) return checkStore(value, signal);
  return [
    warning(
      'ledger',
      `${value} does not exist yet`,
      `If the path is wrong, correct ${from}. Otherwise the first question creates the file.`,
    ),
  ];
}

function checkConfig(options: CommonOptions): { check: Check; settings?: Settings } {
  try {
    const settings = loadSettings(process.cwd(), process.env, options);
    const { name } = settings.project.value;
    const { file } = settings;
    if (file?.problem !== undefined)
      return { check: warning('config', ineffective(file.problem), 'Correct it or remove it.'), settings };
    const path = file ? file.path : 'no fermata.config.json, so the defaults apply';
    return { check: ok('config', `${path} (project ${name})`), settings };
  } catch (problem) {
    if (!(problem instanceof FermataError)) throw problem;
    return {
      check: error('config', problem.message, 'Correct it; until then nothing else works here.'),
    };
  }
}

async function report(checks: Check[], options: CommonOptions): Promise<void> {
  const errors = checks.filter((check) => check.status === 'error').length;
  const warnings = checks.filter((check) => check.status === 'warning').length;
  if (options.format === 'json') await printJson({ ok: errors === 0, checks });
  else {
    await print(checks.flatMap(lines).join('\n'));
    const end = errors > 0 ? `${errors} to fix` : 'Nothing is broken';
    tell(`\n${end}${warnings > 0 ? `, ${counted(warnings, 'warning')}` : ''}.`);
  }
  if (errors > 0) process.exitCode = exit.failed;
}

function lines({ name, status, detail, fix }: Check): string[] {
  const colors = colorsOn(process.stdout);
  const mark = { ok: colors.green('✓'), warning: colors.yellow('!'), error: colors.red('✗') }[status];
  const line = `${mark} ${name.padEnd(11)}  ${visible(detail).replaceAll('\n', ' ')}`;
  return fix ? [line, `${' '.repeat(15)}→ ${visible(fix)}`] : [line];
}

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

function checkPlatform(): Check {
  return judgePlatform(process.platform, process.arch, process.platform === 'linux' ? libcHere() : undefined);
}

function libcHere(): string {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const glibc = report.header?.glibcVersionRuntime;
  return glibc ? `glibc ${glibc}` : 'musl';
}

/** Whether the sessions that people start themselves are connected. */
function checkSessions(env: NodeJS.ProcessEnv): Check[] {
  const claude = new ClaudeConnection(env);
  if (claude.program === undefined) return [];
  const { marketplace } = claude;
  if (marketplace === undefined)
    return [ok('sessions', `those of claude are not connected ("${cmd`connect`}" connects them)`)];
  if (!existsSync(marketplace))
    return [
      error('sessions', `claude looks for the plugin in ${marketplace}`, `Run: ${cmd`connect claude`}`),
    ];
  return [ok('sessions', 'those of claude are connected')];
}

/** Whether `run --sandbox` works here, and what it leaves in reach; undefined on systems that never have it. */
function checkSandbox(env: NodeJS.ProcessEnv): Check | undefined {
  if (process.platform !== 'linux') return undefined;
  const missing = missingSandbox(env);
  if (missing) return warning('sandbox', missing.problem, `${missing.fix} to run agents with --sandbox.`);
  return judgeNetwork(abstractSockets(readFileSync('/proc/net/unix', 'utf8')));
}

const SHARED = 'no capabilities; shares the network of this machine';

export function judgeNetwork(sockets: readonly string[]): Check {
  if (sockets.length === 0) return ok('sandbox', SHARED);
  const [first] = sockets;
  return warning(
    'sandbox',
    `${SHARED}, so agents in it can reach ${counted(sockets.length, 'abstract socket')} (${first}${sockets.length > 1 ? ', …' : ''})`,
    'Programs that listen there see your account. For agents that you do not trust, use a machine or container without them.',
  );
}

/** The names of the abstract sockets that somebody listens on. File permissions do not apply to these. */
export function abstractSockets(table: string): string[] {
  const names = table.split('\n').flatMap((line) => {
    const [, , , flags, , , , name = ''] = line.trim().split(/\s+/);
    const listens = (Number.parseInt(flags ?? '', 16) & ACCEPTS) !== 0;
    return listens && name.startsWith('@') ? [name] : [];
  });
  return [...new Set(names)];
}

/** The kernel's flag of a socket that accepts connections. */
const ACCEPTS = 0x10000;
