import { expect, it } from 'vitest';
import { desktopCommand } from '../../../src/channels/notices/desktop.ts';
import { sinksFromEnv } from '../../../src/channels/notices/sinks-from-env.ts';

it('only the environment says where notices go, and what is wrong with it is told without the address (CHAN-4)', () => {
  const names = (env: Record<string, string>) => sinksFromEnv(env).map(({ name }) => name);
  expect(names({})).toEqual([]);
  expect(
    names({
      FERMATA_NOTIFY_WEBHOOK: 'https://hooks.example/T/B/secret',
      FERMATA_NOTIFY_NTFY: 'https://ntfy.example/topic',
      FERMATA_NOTIFY_DESKTOP: '1',
    }),
  ).toEqual(['webhook', 'ntfy', 'desktop']);
  for (const wrong of ['file:///etc/passwd', 'secret', 'https://user:pw@host/']) {
    expect(() => names({ FERMATA_NOTIFY_WEBHOOK: wrong })).toThrow(
      /^FERMATA_NOTIFY_WEBHOOK is no address[^:]*:\/\/ or http:\/\/\.$/,
    );
  }
  expect(() => names({ FERMATA_NOTIFY_NTFY: 'https://ntfy.sh/' })).toThrow(/topic/);
});

it('the desktop gets texts as arguments, never as a script (CHAN-4)', () => {
  const notice = {
    title: '--help"; do shell script',
    questions: [{ text: '<b>$(rm)</b>\u001b[2J', options: [] }],
  };
  expect(desktopCommand('linux', notice)).toEqual([
    'notify-send',
    '--app-name=Fermata',
    '--',
    '--help"; do shell script',
    '&lt;b&gt;$(rm)&lt;/b&gt;',
  ]);
  expect(desktopCommand('darwin', notice).slice(-2)).toEqual(['--help"; do shell script', '<b>$(rm)</b>']);
});
