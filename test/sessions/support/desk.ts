import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFailed, onTestFinished } from 'vitest';
import { openLedger } from '../../../src/index.ts';
import { Notification } from '../../../src/schema/notification.ts';
import type { Run } from '../../../src/schema/run.ts';
import { type RealCliName, realCli } from '../../agents/clis/real-cli.ts';
import { BIN } from '../../support/fermata.ts';
import { startAnthropic } from '../../support/model/anthropic.ts';
import type { AnthropicReply } from '../../support/model/anthropic-reply.ts';
import { type AnthropicRequest, type ToolResult, toolResult } from '../../support/model/anthropic-request.ts';
import { claudeHome } from '../../support/model/cli-home.ts';
import type { Script } from '../../support/model/script.ts';
import { untilDeserted } from '../../support/processes.ts';
import { programInTerminal, type Terminal } from '../../support/pty.ts';

export const ESC = '\x1b';

/** A person with the real Claude Code, our plugin, a project and an inbox. */
export async function deskOf(
  name: RealCliName,
  skip: (note: string) => never,
  script: Script<AnthropicRequest, AnthropicReply>,
) {
  const claude = await realCli(name, skip);
  const model = await startAnthropic(script);
  onTestFinished(() => model.stop());
  const { home, cwd, env: own, remove } = claudeHome(model.url);
  // The last hook ends soon after its session.
  onTestFinished(async () => {
    await untilDeserted(cwd);
    remove();
  });
  knowFolder(home, cwd);
  const fermataHome = join(home, 'fermata');
  const PATH = [dirname(claude), own.PATH].join(delimiter);
  const env = { ...own, PATH, FERMATA_HOME: fermataHome, FERMATA_USER: 'ann' };
  const run = async (program: string, args: string[], more: Record<string, string> = {}) =>
    (await promisify(execFile)(program, args, { cwd, env: { ...env, ...more } })).stdout;
  const fermata = (...args: string[]) => run(process.execPath, [BIN, ...args]);
  await fermata('connect', 'claude');
  const ledger = await openLedger(join(fermataHome, 'ledger.db'));
  onTestFinished(() => ledger.close());
  const projectId = async () => (await ledger.projects.list())[0]?.id ?? '';
  const waiting = async () => (await ledger.notifications.list()).notifications;
  const find = ({ projectId: project, id }: Notification) => ledger.notifications.get(project, id);
  return {
    ...{ model, home, cwd, env, ledger, fermata, waiting },
    claude: (args: string[], more?: Record<string, string>) => run(claude, args, more),
    /** Starts Claude Code in a terminal. */
    start(...args: string[]): Terminal {
      const terminal = programInTerminal(claude, ['--permission-mode', 'default', ...args], { cwd, env });
      onTestFailed(() => console.log(terminal.screen()));
      return terminal;
    },
    /** Waits until so many wait for a person, and returns them. */
    async asked(count = 1): Promise<Notification[]> {
      await expect.poll(async () => (await waiting()).length).toBe(count);
      return waiting();
    },
    /** Waits until one notification is open. */
    async one(): Promise<Notification> {
      await expect.poll(async () => (await waiting()).length).toBe(1);
      return Notification.parse((await waiting())[0]);
    },
    find,
    /** Waits until the notification has this status. */
    async becomes(asked: Notification, status: Notification['status']): Promise<Notification> {
      await expect.poll(async () => (await find(asked)).status).toBe(status);
      return find(asked);
    },
    /** Waits until the model has the result of this tool call. */
    async got(toolUseId: string): Promise<ToolResult> {
      const result = () => toolResult(model.requests, toolUseId);
      await expect.poll(result).toBeDefined();
      return result() as ToolResult;
    },
    /** Waits until no hook of ours is left. */
    hooksEnd: () => untilDeserted(cwd),
    sessions: async (): Promise<Run[]> => ledger.runs.list(await projectId()),
  };
}

/** Answers what Claude Code asks in a new home. */
function knowFolder(home: string, cwd: string): void {
  const known = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const config = {
    ...{ hasCompletedOnboarding: true, theme: 'dark', projects: { [cwd]: known } },
    customApiKeyResponses: { approved: ['sk-ant-scripted'], rejected: [] },
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(config));
}
