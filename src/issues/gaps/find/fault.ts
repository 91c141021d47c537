import type { Evidence } from '../gap.ts';
import type { IssueText, ReadText } from '../issue-text.ts';
import { contentAmount, countAnchors } from '../text/content.ts';
import { measure } from '../words/bounds.ts';
import { condition, contrast, emptyCondition, errorText, failure, turn, unsteady } from '../words/fault.ts';
import { phrases } from '../words/phrases.ts';
import type { Beyond } from './vagueness.ts';

const playground =
  /codesandbox\.io|stackblitz\.com|jsfiddle\.net|codepen\.io|repl\.it|replit\.com|gist\.github\.com|play\.rust-lang|go\.dev\/play|play\.golang|godbolt\.org|typescriptlang\.org\/play|plnkr\.co|glitch\.(?:com|me)|colab\.research|kaggle\.com|\.zip(?:\?|$)|\/files\/\d+\/|svelte\.dev\/(?:repl|playground)|vuejs\.org\/#|loom\.com|youtu\.?be|dartpad/i;
const source = /\/(?:blob|tree|commit|commits)\/|#L\d+|\/src\//;
const place =
  /(?<![\w/])[\w.-]{1,60}(?:\/[\w.-]{1,60}){1,10}\.\w{1,5}(?::\d+)?|(?<![\w.])[\w-]{2,60}\.(?:[cm]?[jt]sx?|py|rs|go|rb|java|kt|cs|cpp|cc|c|h|hpp|php|swift|vue|svelte|css|scss|html|ya?ml|json|toml|md|sh|sql|ex|exs|dart|lua|scala|elm|nix)(?::\d+)?(?![\w.])|\blines? \d+\b/i;

/** Words of a visual bug, for which a picture is enough. */
const visual = phrases`
  (?:mis)?align(?:ed|ment|s)?; overlap\p{L}*; layout; css; styles?; styling; colou?rs?; fonts?; icons?; padding; margin; centered
  cut[- ]off; cropped; truncated; blurry; pixelated; flicker\p{L}*; scroll(?:bar|ing|s)?; responsive; dark (?:mode|theme)
  shows? up; showing up; renders?; rendered; rendering; display(?:s|ed)?; looks?; screenshots?; off-?screen; z-index; overflow\p{L}*; spacing; position
  darstellung; anzeige; verschoben; affichage; décalé; alineación; pantalla; alinhamento; tela; отображ\p{L}*; смещ\p{L}*; экран\p{L}*
  显示; 样式; 布局; 对齐; 界面; 表示; レイアウト; ずれ; 崩れ; 画面; 화면; 레이아웃
`;

/** What lets another person see the bug: a trigger, an error message, a place in the code, a picture. */
export function findFault(text: ReadText, title: string, beyondTitle: Beyond): Evidence[] {
  const { document, sentences } = text;
  const found = sentences.flatMap(({ text: words, at, piece }) => {
    if (piece.topic === 'environment' || piece.topic === 'alternatives' || beyondTitle(words) === 0)
      return [];
    const list: Evidence[] = [];
    const add = (kind: Evidence['kind'], weight: number) =>
      list.push(text.evidence(kind, at, words.length, weight));
    const trigger = triggerWeight(words);
    if (trigger > 0) add('trigger', trigger);
    const said = contentAmount(words);
    if (said >= 3 && contrast.test(words)) add('contrast', countAnchors(words) > 0 ? 1 : 0.7);
    else if (said >= 4 && turn.test(words) && failure.test(words)) add('contrast', 0.6);
    if (errorText.some((pattern) => pattern.test(words))) add('error', 0.8);
    if (place.test(words)) add('location', 0.8);
    if (unsteady.test(words)) add('unsteady', 1);
    return list;
  });
  const inlineCode = sentences.find(({ text: words }) => /\ue000{12,}/.test(words));
  if (inlineCode) found.push(text.evidence('code', inlineCode.at, inlineCode.text.length, 0.4));
  const at = (list: { url: string; at: number }[], kind: Evidence['kind'], weight: number) =>
    list.slice(0, 5).map((link) => text.evidence(kind, link.at, Math.max(link.url.length, 2), weight));
  return [
    ...found,
    ...at(
      document.images,
      'picture',
      visual.test(title) || sentences.some(({ text: words }) => visual.test(words)) ? 1 : 0.5,
    ),
    ...at(
      document.links.filter(({ url }) => playground.test(url)),
      'playground',
      1,
    ),
    ...at(
      document.links.filter(({ url }) => !playground.test(url) && source.test(url)),
      'location',
      1,
    ),
    ...at(
      document.links.filter(({ url }) => !playground.test(url) && !source.test(url)),
      'reference',
      0.6,
    ),
  ];
}

export function findFaultInTitle({ titleText, inTitle }: IssueText): Evidence[] {
  const found: Evidence[] = [];
  const trigger = triggerWeight(titleText);
  if (trigger > 0) found.push(inTitle('trigger', Math.round(trigger * 80) / 100));
  if (errorText.some((pattern) => pattern.test(titleText))) found.push(inTitle('error', 0.6));
  if (contrast.test(titleText) && contentAmount(titleText) >= 4) found.push(inTitle('contrast', 0.6));
  if (place.test(titleText)) found.push(inTitle('location', 0.6));
  return found;
}

/** "Saving a replay fails": the action itself is the condition. */
const deed = /(?:^|[.:,] )\p{L}{3,}ing\s/iu;

/** "`{{a}}` returns an error": the input and what it gives. */
const given =
  /\ue000\s(?:\p{L}{2,12}\s){0,2}(?:returns?|gives?|throws?|yields?|produces?|prints?|results?|fails?|evaluates?|renders?|crashes)(?!\p{L})/iu;

/** "The "Save" button does not submit the form": pressing it shows the bug. */
const control =
  /(?:click|press|tap|klick|drück|cliqu|appui|puls|clic|нажим|нажал)\p{L}*\s(?:\p{L}{1,12}\s){0,3}(?:["“«]|\ue000)|(?:["“«][^"”»]{1,40}["”»]|\ue000)\s(?:button|link|menu|tab|field|dialog|checkbox|command|option|flag|page|screen)(?!\p{L})/iu;

/** Says that it always fails. */
const steady = phrases`
  (?:every|each) time; always; whenever; jedes mal; immer; à chaque fois; toujours; cada vez; siempre; sempre; toda vez
  каждый раз; всегда; 每次; 总是; 毎回; 必ず; 매번; 항상
`;

/** "When I save an empty form, it hangs": a condition and a failure in one sentence are a reproduction. */
function triggerWeight(words: string): number {
  const said = words.replace(emptyCondition, ' ');
  // "If I leave it open it uses 60 MB after an hour" needs no word for the failure.
  if (!failure.test(said) && !measure.test(said)) return 0;
  const shown = control.test(said) || given.test(said);
  if (!shown && !condition.test(said) && !deed.test(said)) return 0;
  const amount = contentAmount(said);
  if (amount < (shown ? 2 : 3)) return 0;
  return Math.min(
    1,
    Math.round(
      (0.35 +
        0.04 * Math.min(amount, 10) +
        0.15 * Math.min(countAnchors(said), 2) +
        (shown ? 0.25 : 0) +
        (steady.test(said) ? 0.15 : 0)) *
        100,
    ) / 100,
  );
}
