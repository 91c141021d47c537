import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shelf } from '../src/shelf.js';

test('there are books', () => assert.ok(shelf.length > 0));
