import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSettings } from '../src/settings.js';

test('a setting is there after a restart; an unreadable file counts as empty', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  const file = join(folder, 'settings');
  openSettings(file).set('filter', 'unread');
  assert.equal(openSettings(file).get('filter'), 'unread');
  writeFileSync(file, '{');
  assert.equal(openSettings(file).get('filter'), undefined);
  rmSync(folder, { recursive: true });
});
