import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../browser/support/browser.ts';
import { inTerminal } from '../support/pty.ts';

const browser = useBrowser();
const LONG = 180_000;

test(
  'CLI-demo CHAN-1 everything can be answered in the browser: the terminal continues by itself',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'fermata-demo-browser-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 20 }));
    const terminal = inTerminal(['demo', '--folder', join(dir, 'play')], { limitMs: LONG });
    // With the text after it, because a terminal may show the link in pieces.
    const [, link = ''] = await terminal.shows(/(http:\/\/127\.0\.0\.1:\d+\/#login=\S+)\s/);
    const page = await browser.open(link);
    // This waits for agents, not for the page.
    page.setDefaultTimeout(LONG);
    const questions = ['by title or by year', 'everything or nothing', 'JSON or INI', 'Which separator'];
    for (const question of questions) {
      await page.getByRole('link', { name: question }).click();
      await page.getByRole('heading', { name: question }).waitFor();
      await page.keyboard.press('1');
      await page.keyboard.press('Enter');
      await page.locator('.given').waitFor();
    }
    await page.getByText('Which variant of phase 3 should be main?').first().waitFor();
    await page.getByRole('button', { name: /Next question/ }).click();
    await page.getByText('settings.js').first().waitFor();
    await page.getByText('Wrote src/settings.js and its test.').first().waitFor();
    await page.getByRole('button', { name: 'discard' }).first().click();
    await page.getByRole('button', { name: 'main' }).nth(1).click();
    await page.getByRole('button', { name: /^Send/ }).click();
    expect(await terminal.ended, terminal.screen()).toBe(0);
    expect(readFileSync(join(dir, 'play/shelf/src/settings.js'), 'utf8')).toContain('which is read once');
    expect(terminal.screen()).toContain('tester, web');
  },
  LONG,
);
