import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done } from '../src/{{name}}.js';

test('issue {{number}} is done', () => assert.equal(done, '{{literal}}'));
