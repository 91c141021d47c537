import { fileURLToPath } from 'node:url';
import { launchChromium } from '../../test/support/chromium.mjs';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Longer than a loaded machine needs for one call. */
const MARGIN_MS = 10_000;

export async function takePictures(loginLink, shown) {
  const browser = await launchChromium();
  const look = { colorScheme: 'light', timezoneId: zoneWithNoon() };
  const hub = new URL(loginLink).origin;
  try {
    const desktop = await browser.newContext({ ...look, viewport: DESKTOP });
    const page = await desktop.newPage();
    await page.goto(loginLink);
    await page.getByText('Live').waitFor();
    await takeDesktopPictures(page, hub, shown);
    const storageState = await desktop.storageState(); // logged in
    const phone = await browser.newContext({ ...look, ...PHONE, storageState });
    await takePhonePicture(await phone.newPage(), hub, shown);
  } finally {
    await browser.close();
  }
}

async function takeDesktopPictures(page, hub, { project, zone, testing, variants, run }) {
  const open = async (path, heading) => {
    await page.goto(`${hub}/#/${path}`);
    await page.getByRole('heading', { name: heading }).waitFor();
  };

  await open(`inbox/${project}/${zone.id}`, 'Where should the time zone');
  await take(page, 'inbox');

  await open(`board/${project}`, 'Waiting for you');
  await take(page, 'board');

  await open(`inbox/${project}/${testing.id}`, 'Import of public holidays');
  await page.keyboard.press('2');
  await page.getByLabel('What needs to change?').fill('On 1 May the branch in Lisbon still says "open".');
  await take(page, 'gate');

  await open(`inbox/${project}/${variants.id}`, 'Which variant');
  for (const key of ['1', '2', '3']) await page.keyboard.press(key);
  await take(page, 'variants');

  await page.setViewportSize({ ...DESKTOP, height: 600 });
  await open(`run/${project}/${run.id}`, 'Store hours per branch');
  await page.getByText('started with claude').waitFor();
  await take(page, 'run');
}

async function takePhonePicture(page, hub, { project, zone }) {
  await page.clock.install();
  await page.goto(`${hub}/#/inbox/${project}/${zone.id}`);
  const option = page.getByRole('button', { name: 'A column on each branch' });
  await option.waitFor();
  // Otherwise the page would send the answer after three seconds, perhaps before the picture is taken.
  await page.clock.pauseAt(Date.now() + MARGIN_MS);
  await option.click(); // not a tap, because the browser would highlight it
  await page.getByText('Sending A column').waitFor();
  await take(page, 'phone');
}

async function take(page, name) {
  const path = fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url));
  await page.screenshot({ path });
  console.log(`docs/images/${name}.png`);
}

/** A time zone in which it is about noon now, so that everything in a picture happened on the same day. */
function zoneWithNoon() {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
