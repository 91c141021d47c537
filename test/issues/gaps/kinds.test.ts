import { describe, expect, it } from 'vitest';
import { type Draft, report } from './support.ts';

const kinds: [string, Draft][] = [
  ['bug', { title: 'Saving is odd', labels: ['type: bug'] }],
  ['bug', { title: '[BUG] Saving is odd' }],
  ['bug', { title: 'fix(core): wrong total' }],
  ['bug', { title: 'Upload hangs at 99 percent' }],
  ['bug', { title: 'Odd', body: '### Steps to reproduce\n1. open it\n2. close it' }],
  ['feature', { title: 'Add a filter' }],
  ['feature', { title: 'Filter', labels: ['enhancement'] }],
  ['feature', { title: 'Filter', body: 'As a reader I want to filter the list so that I find things.' }],
  ['chore', { title: 'Bump lodash to 4.17.21' }],
  ['chore', { title: 'chore: tidy the scripts' }],
  ['docs', { title: 'Typo in the README' }],
  ['docs', { title: 'Missing options', labels: ['bug', 'documentation'] }],
  ['feature', { title: 'Better error messages in the importer', labels: ['enhancement'] }],
  ['feature', { title: 'Report errors of the nightly import' }],
  ['feature', { title: 'pick a database', body: "I won't list the candidates here." }],
  ['feature', { title: 'Improve performance', body: 'The app is slow. Make it faster.' }],
  ['feature', { title: 'Error handling', body: 'Improve error handling everywhere.' }],
  ['feature', { title: 'Store sessions in Redis', body: 'They are lost on restart.' }],
  ['bug', { title: 'Save fails', body: 'Improve this.' }],
  ['bug', { title: 'Error message when saving' }],
  ['question', { title: 'How do I run it behind a proxy?' }],
  ['question', { title: 'Proxy', labels: ['question'] }],
];

describe('the kind of an issue', () => {
  it.each(kinds)('GAP-2 is %s by label, tag, structure or wording: %j', (kind, draft) => {
    expect(report(draft).kind).toBe(kind);
  });

  it('GAP-2 "help wanted" does not make it a question', () => {
    expect(report({ title: 'Add a filter', labels: ['help wanted'] }).kind).toBe('feature');
  });
});
