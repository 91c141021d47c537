import { describe, expect, it } from 'vitest';
import { diffFiles } from '../../web/src/gates/diff-files.ts';

const TWO = `diff --git a/src/a b.ts b/src/a b.ts
index 83db48f..bf269f4 100644
--- a/src/a b.ts
+++ b/src/a b.ts
@@ -1,3 +1,3 @@
 same
--- a comment that was removed
+++ one that was added
diff --git a/old.png b/new.png
similarity index 90%
rename from old.png
rename to new.png
Binary files a/old.png and b/new.png differ
`;

describe('a diff', () => {
  it('is read file by file, its lines are counted, and every one is kept (BIND-11)', () => {
    const [first, second] = diffFiles(TWO);
    expect(first).toEqual({
      path: 'src/a b.ts',
      added: 1,
      removed: 1,
      lines: [
        ...TWO.split('\n')
          .slice(0, 4)
          .map((text) => ({ kind: 'note', text })),
        { kind: 'place', text: '@@ -1,3 +1,3 @@' },
        { kind: 'same', text: ' same' },
        { kind: 'removed', text: '--- a comment that was removed' },
        { kind: 'added', text: '+++ one that was added' },
      ],
    });
    expect(second?.path).toBe('new.png');
    expect(second?.lines.map(({ kind }) => kind)).toEqual(Array(5).fill('note'));
  });

  it('without its first line takes its name from the next lines', () => {
    expect(diffFiles('--- a/x.ts\n+++ b/y.ts\n@@ -1 +1 @@\n-a\n+b')).toMatchObject([
      { path: 'x.ts', added: 1, removed: 1 },
    ]);
    expect(diffFiles('--- /dev/null\n+++ b/y.ts\n+b')).toMatchObject([{ path: 'y.ts', added: 1 }]);
  });

  it('that is not valid keeps every line', () => {
    expect(diffFiles('just words\n\nmore')).toEqual([
      {
        path: '',
        added: 0,
        removed: 0,
        lines: ['just words', '', 'more'].map((text) => ({ kind: 'same', text })),
      },
    ]);
  });
});
