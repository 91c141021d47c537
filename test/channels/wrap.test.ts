import { describe, expect, test } from 'vitest';
import { wrap } from '../../src/channels/wrap.ts';
import { fermata } from '../support/fermata.ts';
import { inTerminal } from '../support/pty.ts';
import { asked, place } from './support/terminal-place.ts';

const WORDS = 'Which of these databases should the new reporting service use in production';

describe('text in a terminal', () => {
  test('wraps between words, aligned with its own start or that of a numbered option', () => {
    expect(wrap('one two three', 7)).toBe('one two\nthree');
    expect(wrap('  one two three', 9)).toBe('  one two\n  three');
    expect(wrap('  1) one two three', 12)).toBe('  1) one two\n     three');
    expect(wrap('1. one two', 6)).toBe('1. one\n   two');
    expect(wrap('a b\n\nc d', 3)).toBe('a b\n\nc d');
  });

  test('leaves short lines, long words, blocks with a bar and invisible characters unchanged', () => {
    expect(wrap('a  b', 4)).toBe('a  b');
    expect(wrap('see https://example.org/a/long/path now', 10)).toBe(
      'see\nhttps://example.org/a/long/path\nnow',
    );
    expect(wrap('│ const a = 1; const b = 2;', 10)).toBe('│ const a = 1; const b = 2;');
    expect(wrap(WORDS, undefined)).toBe(WORDS);
  });

  test('does not count colours, and counts wide letters twice', () => {
    expect(wrap('\x1b[1mone\x1b[22m two', 7)).toBe('\x1b[1mone\x1b[22m two');
    expect(wrap('世界 世界', 6)).toBe('世界\n世界');
  });
});

describe('CHAN-1 in a narrow terminal', () => {
  test('a prompt never breaks inside a word', async () => {
    const description = 'a server that somebody has to run and to back up every night';
    const terminal = inTerminal(['ask', WORDS, '-o', `PostgreSQL: ${description}`, '-o', 'SQLite'], {
      ...place(),
      columns: 40,
    });
    await terminal.shows(/› /);
    const rows = terminal.screen().split(/\r?\n/);
    expect(rows.filter((row) => row.length > 40)).toEqual([]);
    const words = rows.join(' ').split(/\s+/);
    expect(words).toEqual(expect.arrayContaining([...WORDS.split(' '), ...description.split(' ')]));
    terminal.type('1\r');
    expect(await terminal.ended).toBe(0);
  });

  test('CLI-inbox shows the context, what options mean and that several may be chosen', async () => {
    const at = place();
    await asked(at, [
      {
        text: WORDS,
        context: 'Reports are read by the whole company, at night too.',
        options: [
          { label: 'PostgreSQL', description: 'a server' },
          { label: 'SQLite', description: 'a file' },
        ],
        recommended: 'SQLite',
        multi: true,
      },
    ]);
    const { stdout } = await fermata(['inbox', '--all'], at);
    expect(stdout.split('\n').slice(1, 6)).toEqual([
      `  ${WORDS}`,
      '  Reports are read by the whole company, at night too.',
      '  1) PostgreSQL – a server',
      '  2) SQLite (recommended) – a file',
      '  Choose several, as in "1,3".',
    ]);
    const terminal = inTerminal(['inbox', '--all'], { ...at, columns: 40 });
    expect(await terminal.ended).toBe(0);
    expect(
      terminal
        .screen()
        .split(/\r?\n/)
        .filter((row) => row.length > 40 && !row.includes('fermata answer')),
    ).toEqual([]);
  });
});
