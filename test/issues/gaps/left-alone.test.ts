import { describe, expect, it } from 'vitest';
import { type Draft, gapsOf } from './support.ts';

const complete: Record<string, Draft> = {
  'an order with a reason and a number': {
    title: 'Store sessions in Redis',
    body: 'Sessions are in memory and are lost on restart. Store them in Redis with a TTL of 24h.',
  },
  'a route with its parameters': {
    title: 'Add pagination to GET /users',
    body: 'Query parameters `page` (from 1) and `per_page` (default 20, max 100); the response has `total` and `items`. 400 for invalid values.',
  },
  'an option with what it prints': {
    title: 'Add --json flag to `list`',
    body: 'Prints the same data as JSON: an array of {id, title, status}. Exit code stays 0 when empty.',
  },
  'a target in numbers': {
    title: 'Make CLI faster',
    body: 'Startup is 800 ms. Target: < 200 ms for `--help` (hyperfine).',
  },
  'a time after which something happens': {
    title: 'Log out after 30 minutes',
    body: 'Users are logged out after 30 minutes without activity; a dialog warns 1 minute before.',
  },
  'a button that does nothing, in French': {
    title: 'Le bouton Enregistrer ne marche pas',
    body: 'Quand je clique sur "Enregistrer", rien ne se passe. Firefox 120.',
  },
  'a fault with its message in Chinese': {
    title: '登录失败',
    body: '点击登录按钮后页面白屏，控制台报错 TypeError: undefined。期望：进入首页。',
  },
  'a bug shown by commands in HTML': {
    title: 'Filters with inner quotes differ',
    body: "With 2.1.2 the second list is empty.\n\n<pre>\n$ t '( due:today )' list\n1 task\n$ t '\"( due:today )\"' list\nNo matches.\n</pre>",
    labels: ['bug'],
  },
  'an input with what it gives': {
    title: 'Apostrophes in strings',
    body: '`"it\'s fine"` returns a parsing error',
    labels: ['bug'],
  },
  'a fault that comes every time': {
    title: 'Empty pages',
    body: 'Each time a file is printed the viewer adds an empty page behind it. Seen with 0.98.1.',
    labels: ['bug'],
  },
  'a wish for certain keys': {
    title: 'Keys for the outline',
    body: 'Ctrl+Shift+O should open and close the outline next to the text.',
    labels: ['enhancement'],
  },
  'a fault of a named button': {
    title: '"Print" button in the toolbar',
    body: 'The "Print" button in the toolbar currently does not open the dialog.',
    labels: ['bug'],
  },
  'a fault told by a condition and a number': {
    title: '[Bug] Memory grows',
    body: 'If I leave the window open for 20 minutes it takes 60 MB, with the chart open 130 MB.',
  },
  'cases in a list with letters': {
    title: 'Export hangs on errors',
    body: 'The export waits forever when\n\na) the target file exists already\nb) the card is write protected',
    labels: ['bug'],
  },
  'work about blocking, which waits for nothing': {
    title: 'Show blocked tasks in the board',
    body: 'A task is blocked by tasks that are not done.\n\n- the board shows the tasks that block it\n- a finished task frees the others at once',
  },
  'a bug with steps, expected and actual': {
    title: 'Total is wrong',
    body: '1. add two items\n2. remove one\n\n**Expected:** 10.00\n**Actual:** 20.00',
  },
  'a bug with a stack trace': {
    title: 'Import fails',
    body: '```\nTypeError: x is undefined\n    at load (src/import.js:12:5)\n```',
  },
  'a bug told in one sentence with its trigger': {
    title: 'Drawer',
    body: 'When the drawer is open and I press Escape, the page behind it scrolls to the top instead of the drawer closing.',
  },
  'a layout bug with a picture': {
    title: 'Label overlaps the price',
    body: '![shot](https://example.org/shot.png)',
  },
  'a feature with criteria': {
    title: 'Pin an article',
    body: '## Acceptance criteria\n- one article at most is pinned\n- the pin survives an edit',
  },
  'a feature with a signature': {
    title: 'Retries',
    body: 'I wrap each call by hand.\n```ts\nfetch(url, { retry: { attempts: 3 } })\n```',
  },
  'a feature that says how it behaves': {
    title: 'Remember the format',
    body: 'I nearly always want XLSX. The export dialog should come up with the format of the previous export. On the first visit it should be PDF, and a format that was removed must fall back to PDF, too.',
  },
  'a chore that names its target': { title: 'Rename `getUser` to `findUser`', body: '' },
  'a bump of a version': { title: 'Upgrade Django from 4.2 to 5.1', body: null },
  'a release': { title: 'Publish a new release', body: 'The fix of #12 is needed.' },
  'a typo': { title: 'Typo in docs/install.md', body: null },
  'a question that is clear': { title: 'How do I set a base path?', body: 'Our proxy adds /tools in front.' },
  'a short text that says it all': {
    title: 'Default timeout',
    body: 'The timeout should be 5 s instead of 60 s.',
  },
  German: {
    title: 'Sprache geht verloren',
    body: '**Schritte**\n1. Sprache umstellen\n2. Abmelden\n\n**Erwartet:** Die Sprache bleibt.\n**Tatsächlich:** Sie ist englisch.',
  },
  French: {
    title: 'Filtre par date',
    body: 'Il faudrait deux champs « du » et « au » au-dessus du tableau ; sans saisie on affiche les 90 derniers jours.',
  },
  Spanish: {
    title: 'Orden de la tabla',
    body: '- clic: ordena por esa columna\n- Shift + clic: añade un segundo criterio\n- otro clic: invierte el orden',
  },
  Portuguese: {
    title: 'Total errado',
    body: 'Quando removo um item do carrinho com desconto, o total não é atualizado e continua mostrando o valor antigo.',
  },
  Russian: {
    title: 'Кнопка «Отмена»',
    body: 'При нажатии «Отмена» форма отправляется и создаётся пустой адрес. Должно просто закрываться окно.',
  },
  Chinese: {
    title: '保存后白屏',
    body: '### 复现步骤\n1. 新建商品，价格留空\n2. 点击保存\n\n### 期望\n提示价格不能为空',
  },
  Japanese: {
    title: '保存できない',
    body: '## 再現手順\n1. 商品名を空にする\n2. 保存ボタンを押す\n\n## 期待\nエラーメッセージが表示される',
  },
};

describe('good issues need no question', () => {
  it.each(Object.entries(complete))('GAP-2 %s is left alone', (_, draft) => {
    expect(gapsOf(draft)).toEqual([]);
  });

  it('GAP-2 silence about technology, dependencies and tests is normal', () => {
    const gaps = gapsOf({ title: 'Add dark mode', body: 'Would be nice.' });
    expect(gaps).not.toContain('tech_stack');
    expect(gaps).not.toContain('dependencies');
  });

  it('GAP-2 an answer in a comment closes a gap', () => {
    const draft = { title: 'Export is broken', body: 'Export is broken for us.' };
    expect(gapsOf(draft)).toContain('validation');
    expect(
      gapsOf({
        ...draft,
        comments: [
          'Steps to reproduce:\n1. open a report with no rows\n2. press Export\n\n```\nRangeError: Invalid array length\n    at rows (src/export.ts:9:3)\n```',
        ],
      }),
    ).toEqual([]);
  });

  it('GAP-2 a question whose answer was written back into the issue is not a gap', () => {
    const body =
      'We want it.\n\n## 📝 Clarifications (via Debussy Q&A)\n\n**Acceptance Criteria (done when):** Blocks can be dragged\n\n**Testing / Validation:** by hand\n';
    expect(gapsOf({ title: 'Add block editor', body })).toEqual([]);
  });
});
