import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { permissionQuestion } from '../../src/agents/questions/permission-question.ts';
import { receiver } from '../hub/support/receiver.ts';
import { awkwardCommands } from '../support/awkward-commands.ts';
import { isLong } from '../support/long.ts';
import { longTest } from '../support/long-test.ts';
import { violations } from './support/axe.ts';
import { eventually, PATIENCE_MS, useBrowser } from './support/browser.ts';
import { type PageHub, pageHub } from './support/page-hub.ts';

const browser = useBrowser();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const asked = (hub: PageHub, command: string) =>
  hub.ask({
    source: 'approval',
    sourceId: 'task-1',
    questions: [permissionQuestion({ tool: 'Bash', input: { command } })],
  });

/** The lines as they are in the page; each element is one line. */
async function linesIn(page: Page): Promise<string[]> {
  const lines = await page.locator('.verbatim code').allTextContents();
  return lines.map((line) => line.replace(/\n$/, ''));
}

/** Nothing overflows to the right: a block scrolls only vertically. */
const isWithin = (page: Page) =>
  page
    .locator('pre:has(> code)')
    .evaluateAll((blocks) => blocks.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));

/** Opens each command on this device, and compares what the page shows. */
async function readOn(device: BrowserContextOptions): Promise<void> {
  const hub = await pageHub();
  const page = await browser.open(await hub.loginLink(), device);
  for (const { name, command, shown } of awkwardCommands) {
    const { id } = await asked(hub, command);
    await page.goto(`${hub.url}/#/inbox/${hub.project}/${id}`);
    await eventually(() => linesIn(page)).toEqual(shown);
    expect(await isWithin(page), name).toBe(true);
    const caption = await page.locator('.verbatim figcaption').textContent();
    expect(caption).toContain(shown.length === 1 ? '1 line,' : `${shown.length} lines,`);
    await hub.ledger.notifications.withdraw(hub.project, id, 'Seen.', {
      actor: { kind: 'person', name: 'ann' },
      channel: 'web',
    });
  }
  expect(
    await page.evaluate("getComputedStyle(document.querySelector('.verbatim code')).fontFamily"),
  ).toContain('monospace');
}

describe('what a person approves', { timeout: 3 * PATIENCE_MS }, () => {
  test('every byte of 20 awkward commands can be read on the page on a phone (BIND-11)', () => readOn(phone));

  longTest('every byte of 20 awkward commands can be read on the page on a desktop (BIND-11)', () =>
    readOn({}),
  );

  longTest('a list names the command as it is, and a block of 200 lines scrolls (BIND-11)', async () => {
    const hub = await pageHub();
    const { id } = await asked(hub, 'rm -rf packages/**/dist');
    const long = await asked(hub, 'echo a line\n'.repeat(200));
    const page = await browser.open(await hub.loginLink());
    await page.goto(`${hub.url}/#/inbox/${hub.project}/${id}`);
    const list = page.getByRole('navigation', { name: 'Waiting for you' });
    await list.getByText('May the agent use Bash? rm -rf packages/**/dist').waitFor();
    await page.goto(`${hub.url}/#/inbox/${hub.project}/${long.id}`);
    await page.getByText('command (201 lines, 2,400 characters)').waitFor();
    const block = page.locator('.verbatim pre');
    expect(await block.evaluate((pre) => pre.scrollHeight > pre.clientHeight)).toBe(true);
    expect(await violations(page)).toEqual([]);
  });

  test('every byte of awkward commands can be read on the page of an answer link (BIND-11)', async () => {
    const hooked = await receiver();
    const hub = await pageHub({ sinks: [hooked.sink] });
    // In npm test every fifth, one of them with HTML.
    const commands = awkwardCommands.filter((_, at) => isLong || at % 5 === 3);
    for (const { command } of commands) await asked(hub, command);
    const notices = await hooked.has(commands.length);
    const links = notices.map(({ body }) => /<(http[^|]+)\|Answer>/.exec(body.text)?.[1] ?? '');
    const page = await browser.open(links[0] ?? '');
    const seen: string[][] = [];
    for (const link of links) {
      await page.goto(link);
      seen.push(await linesIn(page));
      expect(await isWithin(page)).toBe(true);
    }
    expect(seen).toHaveLength(commands.length);
    for (const { shown } of commands) expect(seen).toContainEqual(shown);
  });
});
