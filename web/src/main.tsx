import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { startKeys } from './inbox/keys.ts';
import { startArrivals } from './state/arrivals.ts';
import { startClock } from './state/clock.ts';
import { forget } from './state/ledger.ts';
import { startLive, stopFollowing } from './state/live.ts';
import { refresh, startReading } from './state/reading.ts';
import { startSending } from './state/sending.ts';
import { enter, session } from './state/session.ts';
import { forgetTasks, startTasks } from './state/tasks.ts';

startClock();
startLive();
startReading();
startTasks();
startSending();
startArrivals();
startKeys();

effect(() => {
  const { state } = session.value;
  if (state === 'signed-in') {
    void refresh();
    return;
  }
  stopFollowing();
  forget();
  forgetTasks();
});

const root = document.getElementById('app');
if (root) render(<App />, root);
void enter();
// A login link that is opened while the page is already open.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#login=')) void enter();
});
