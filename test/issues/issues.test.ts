import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkIssues, issuesFromJson } from '../../src/issues/issue.ts';
import { issuesFromFolder } from '../../src/issues/issue-folder.ts';
import { cpuTime } from '../support/cpu-time.ts';

function folder(files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), 'fermata-issues-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

describe('issues from JSON', () => {
  it('GAP-1 have the shape of gh issue list --json', () => {
    const text = JSON.stringify([
      {
        number: 12,
        title: 'Save fails',
        body: 'Yes.',
        labels: [{ id: 'x', name: 'bug', description: '', color: 'red' }, 'plain'],
        milestone: { number: 1, title: 'v2' },
        assignees: [{ login: 'ann' }],
        url: 'https://example.org/12',
        state: 'OPEN',
        comments: [{ author: { login: 'bob' }, body: 'Me, too.' }],
        projectItems: [],
      },
    ]);
    expect(issuesFromJson(`\uFEFF${text}`, 'f')).toEqual([
      expect.objectContaining({
        number: 12,
        title: 'Save fails',
        labels: ['bug', 'plain'],
        milestone: 'v2',
        assignees: ['ann'],
        state: 'OPEN',
        comments: [{ body: 'Me, too.' }],
      }),
    ]);
  });

  it('GAP-1 null and missing fields are empty; a number instead of comments means none', () => {
    expect(
      checkIssues([{ number: 1, title: 'T', body: null, labels: null, milestone: null, comments: 4 }], 'f'),
    ).toEqual([
      expect.objectContaining({ body: null, labels: [], milestone: undefined, assignees: [], comments: [] }),
    ]);
  });

  it.each([
    ['{"issues":[]}', /f\.json is not a list of issues/],
    ['[{"number":1,"title":"A"},{"number":2}]', /f\.json, entry 2: title is invalid/],
    ['[{"number":"1","title":"A"}]', /f\.json, entry 1: number is invalid/],
    ['[{"number":1,"title":"A","labels":[{"id":3}]}]', /f\.json, entry 1: labels\.0 is invalid/],
    ['[null]', /f\.json, entry 1: the entry is invalid/],
    ['[{"number":1,}]', /f\.json, line 1, column 14: not valid JSON/],
  ])('GAP-1 a wrong shape is named with its file and entry: %s', (text, message) => {
    expect(() => issuesFromJson(text, 'f.json')).toThrow(message);
  });
});

describe('issues from a folder', () => {
  it('GAP-1 are its Markdown files, with numbers, titles and labels', () => {
    const path = folder({
      '012-save.md':
        '---\nlabels: [bug, "needs triage"]\nassignees: ann\nstate: open\n---\n# Save fails\n\nIt fails.\n',
      '3.md': '\uFEFF# Three\r\n\r\nText\r\n',
      'add-search.md': 'No heading here.\n',
      'titled.markdown': '---\nnumber: 7\ntitle: "From the top"\n---\n# Kept in the text\n',
      'README.md': '# About this folder',
      'notes.txt': 'not an issue',
    });
    mkdirSync(join(path, 'sub.md'));
    expect(
      issuesFromFolder(path).map(({ number, title, labels, body }) => ({
        number,
        title,
        labels,
        body: body?.trim(),
      })),
    ).toEqual([
      { number: 1, title: 'add search', labels: [], body: 'No heading here.' },
      { number: 3, title: 'Three', labels: [], body: 'Text' },
      { number: 7, title: 'From the top', labels: [], body: '# Kept in the text' },
      { number: 12, title: 'Save fails', labels: ['bug', 'needs triage'], body: 'It fails.' },
    ]);
  });

  it('GAP-1 files that begin with a date are numbered one after the other', () => {
    const path = folder({ '2026-03-01-save.md': '', '2026-03-02-load.md': '', '2-open.md': '' });
    expect(issuesFromFolder(path).map(({ number, title }) => [number, title])).toEqual([
      [1, '03 01 save'],
      [2, 'open'],
      [3, '03 02 load'],
    ]);
  });

  it('GAP-1 an entry that is not a file is reported, and does not block', () => {
    const path = folder({ '1.md': '# a' });
    execFileSync('mkfifo', [join(path, '2.md')]);
    expect(() => issuesFromFolder(path)).toThrow(/2\.md is not a file of at most/);
    rmSync(join(path, '2.md'));
    symlinkSync(join(path, 'nowhere'), join(path, '3.md'));
    expect(() => issuesFromFolder(path)).toThrow(/3\.md is a broken link/);
  });

  it('GAP-1 a heading of many spaces is read quickly', () => {
    const path = folder({ '1.md': `# a${' '.repeat(200_000)}b`, '2.md': '# On C# ##\nx' });
    expect(cpuTime(() => issuesFromFolder(path))).toBeLessThan(2000);
    expect(issuesFromFolder(path)[1]?.title).toBe('On C#');
  });

  it('GAP-1 front matter that never ends is text', () => {
    const [issue] = issuesFromFolder(folder({ 'a.md': '---\nnumber: 5\nno end' }));
    expect(issue).toMatchObject({ number: 1, title: 'a', body: '---\nnumber: 5\nno end' });
  });

  it('GAP-1 refuses a file that is not text or points outside the folder, and names it', () => {
    expect(() => issuesFromFolder(folder({ '1.md': 'a\0b' }))).toThrow(/1\.md is not a text file/);
    const secret = join(folder({ 'secret.txt': 'key' }), 'secret.txt');
    const linked = folder({ '1.md': '# One' });
    symlinkSync('1.md', join(linked, '2.md'));
    expect(issuesFromFolder(linked)).toHaveLength(2);
    symlinkSync(secret, join(linked, '3.md'));
    expect(() => issuesFromFolder(linked)).toThrow(/3\.md is a link that points outside the folder/);
  });

  it('GAP-1 a path that is not a folder, or a folder without issues, is reported', () => {
    expect(() => issuesFromFolder(join(tmpdir(), 'fermata-nowhere'))).toThrow(/the folder does not exist/);
    expect(() => issuesFromFolder(folder({ 'x.txt': '' }))).toThrow(/has no Markdown file/);
    const file = join(folder({ 'x.md': '' }), 'x.md');
    expect(() => issuesFromFolder(file)).toThrow(/it is a file/);
  });
});
