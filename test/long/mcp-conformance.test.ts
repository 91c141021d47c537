import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AGENT_CLIS } from '../../scripts/agent-clis.mjs';
import { openLedger } from '../../src/index.ts';
import { clisInstalled } from '../agents/clis/installed.ts';
import { type TestHub, testHub } from '../hub/support/hub.ts';
import { tokenFor } from '../hub/support/start.ts';
import { freshFolder } from '../support/fermata.ts';

const SUITE = join(AGENT_CLIS, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** The suite needs Node 22. */
const NODE_22 = join(AGENT_CLIS, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
const BASELINE = join(import.meta.dirname, '../mcp/conformance.yml');
/** In the older version, several streams need a session, and we have no sessions. */
const WITHOUT_SESSIONS = { '2025-11-25': '  - server-sse-multiple-streams\n', '2026-07-28': '' };

describe('CLI-mcp the official conformance suite over HTTP', () => {
  test.each(['2025-11-25', '2026-07-28'] as const)(
    'passes at %s except for what conformance.yml lists',
    async (version) => {
      await clisInstalled();
      for (const file of [SUITE, NODE_22])
        if (!existsSync(file))
          throw new Error(`NOT TESTED: ${file} is not installed. "npm run test:long" installs it.`);
      const url = await servedWithToken();
      const args = ['server', '--url', url, '--requirements', version, '--expected-failures', 'baseline.yml'];
      const cwd = freshFolder();
      writeFileSync(join(cwd, 'baseline.yml'), readFileSync(BASELINE, 'utf8') + WITHOUT_SESSIONS[version]);
      const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
      const { code, stdout } = await promisify(execFile)(NODE_22, [SUITE, ...args], options).then(
        (done) => ({ code: 0, ...done }),
        (error: { code: number; stdout: string }) => error,
      );
      expect(code, stdout.slice(stdout.indexOf('=== SUMMARY'))).toBe(0);
      expect(stdout).toMatch(/✓ tools-list: [1-9]/);
      expect(stdout).toMatch(/✓ dns-rebinding-protection: [1-9]/);
    },
  );
});

/** The suite sends no token, so something in front of the hub adds it. */
async function servedWithToken(): Promise<string> {
  const place = `${freshFolder('conformance')}/ledger.db`;
  const ledger = await openLedger(place);
  onTestFinished(() => ledger.close());
  await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
  const hub = await testHub({ place });
  const { secret } = await tokenFor(hub, 'agent', 'p');
  return `http://localhost:${await tokenAdder(hub, secret)}/projects/p/mcp`;
}

async function tokenAdder(hub: TestHub, token: string): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const passed = request(hub.url + incoming.url, { method: incoming.method ?? 'GET', headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
