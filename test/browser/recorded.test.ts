import { describe, expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { PATIENCE_MS, useBrowser } from './support/browser.ts';
import { pageHub } from './support/page-hub.ts';

const browser = useBrowser();

describe('what was decided without a person', { timeout: 2 * PATIENCE_MS }, () => {
  test('by notify_and_proceed is listed on the page with who, what and when', async () => {
    const hub = await pageHub();
    await hub.ask({
      questions: [
        {
          text: 'Which library?',
          category: 'dependency',
          recommended: 'lodash',
          options: ['lodash', 'none'],
        },
      ],
    });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('link', { name: 'Settings' }).first().click();
    const list = page.locator('.recorded');
    await list.getByText('Continued without asking: Which library?').waitFor();
    expect(await list.textContent()).toMatch(
      /lodash[\s\S]*about dependency[\s\S]*agent coder · Agent at work · task-1/,
    );
    expect(await violations(page)).toEqual([]);
  });
});
