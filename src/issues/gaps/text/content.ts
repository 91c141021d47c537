import { unspaced } from '../words/phrases.ts';
import { isTechnology } from '../words/technology.ts';
import { CODE } from './mask.ts';

/** Words that occur in every text, except short ones, which are skipped by length. */
const common = new Set(
  `about above after again against also although always another because been before being below between both cannot
  could currently doing does done down during each either even every from further have having here however into itself
  just like likely made make makes many maybe more most much need needs never only other otherwise over perhaps please
  possible possibly quite rather really same shall should since some something such sure than thank thanks that their
  them then there these they thing things this those though through under until upon used using very want wants well
  were what when where whether which while will with within without work works would your yours hello everyone
  seem seems occur occurs occurring happen happens happening happened investigate investigated problem problems error
  errors fix fixed fixes check checked look looks working worked broken anymore today yesterday getting trying tried start
  nice great good awesome cool love useful helpful better easy simple simply able feature request support issue project
  user users people version latest update way time lot bit kind sort someone anyone anything everything stuff team guys
  aber alle also auch beim bitte dann dass dein dies diese dieser doch durch eine einem einen einer eines etwas gibt habe
  haben hier ihre immer jetzt kann kein keine können mehr mein meine mich möchte nach nicht noch oder ohne schon sehr sein
  sich sind über unter viel vom wäre weil wenn werden wird wurde würde zum zur danke hallo gerne schön
  alors aussi avec bien bonjour cela cette comme dans depuis donc elle encore entre est être faire fait leur mais même merci
  nous plus pour quand que qui sans serait sont tout tous très une vous votre
  algo alguien ahora aquí bien como cuando desde donde ella ellos esta este esto gracias hace hacer hola más mucho muy nada
  para pero podría porque puede quiero sería sobre solo también tener tiene todo todos usted
  agora aqui ainda algum assim bom como depois deve ela eles esta este fazer isso mais mas muito não nao obrigado olá onde
  para pode poderia porque quando quero seria sobre também tem tudo uma você
  anche come della dello fare grazie molto nella nello non per più però perché quando questo sarebbe sono tutto una
  было быть весь если есть ещё здравствуйте или как когда который меня можно мне надо него нет нужно она они очень после
  почему просто спасибо также тоже только уже чтобы этого этот`
    .split(/\s+/)
    .filter(Boolean),
);
/** The same for scripts without spaces: pairs of letters that occur in every request. */
const commonPairs = new Set(
  `希望 功能 增加 添加 可以 一个 这个 能够 支持 建议 谢谢 感谢 大佬 作者 你好 您好 请问 是否 能否 如果 就是 什么 怎么 我们 现在 目前 问题
  使用 时候 没有 不能 无法 进行 需要 应该 因为 所以 但是 还是 或者 以及 非常 比较 一下 新增 加上 辛苦 考虑 しま ます です まし した ない
  する ため から ので れる られ ている てい いま こと もの よう とき した たい くだ ださ さい あり りが がと とう お願 願い 機能 追加
  対応 합니 니다 습니 있습 하는 에서 으로 입니 해주 주세 세요 감사 기능 추가 있으 으면`
    .split(/\s+/)
    .filter(Boolean),
);
const word = /[\p{L}\p{N}\ue000][\p{L}\p{N}\ue000'_-]*/gu;

/** The distinct significant words of a masked text; for unspaced scripts, pairs of letters. */
export function contentWords(text: string): Set<string> {
  const found = new Set<string>();
  for (const [original] of text.matchAll(word)) {
    const match = original.toLowerCase();
    if (unspaced.test(match)) addPairs(match, found);
    else if (match.startsWith(CODE)) found.add(`code ${match.length}`);
    else if (/^[A-Z][A-Z0-9]{1,5}$/.test(original))
      found.add(match); // CSV, API
    else if ((match.length > 3 && !common.has(match)) || /^\d/.test(match)) found.add(stem(match));
  }
  return found;
}

/** The number of words; two overlapping pairs of letters count as one word. */
export function amount(words: Set<string>): number {
  let pairs = 0;
  for (const each of words) if (each.length === 2 && unspaced.test(each)) pairs += 1;
  return words.size - Math.floor(pairs / 2);
}

/** How much a text says. */
export const contentAmount = (text: string) => amount(contentWords(text));

/** The number of all words, significant or not. */
export function allWords(text: string): number {
  let count = 0;
  for (const [match] of text.matchAll(word)) count += unspaced.test(match) ? Math.ceil(match.length / 2) : 1;
  return count;
}

function addPairs(text: string, found: Set<string>): void {
  for (const run of text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[a-z][a-z0-9-]{3,}/gu) ?? []) {
    if (!unspaced.test(run)) found.add(stem(run));
    else
      for (let at = 0; at + 1 < run.length; at += 1) {
        const pair = run.slice(at, at + 2);
        if (!commonPairs.has(pair)) found.add(pair);
      }
  }
}

/** `saving`, `saved` and `saves` have the same stem. */
function stem(text: string): string {
  return text.replace(/(?:ing|ed|es|s|en|er|e)$/, '').slice(0, 12);
}

/** Signs of something specific: code, quoted words, files, names, numbers. */
const anchors = [
  /\ue000+/g,
  /"[^"]{2,80}"|«[^»]{2,80}»|「[^」]{2,80}」|『[^』]{2,80}』|(?<![\p{L}\p{N}])'[^']{2,60}'(?![\p{L}\p{N}])/gu,
  /(?<![\w/])(?:\.{0,2}\/)?[\w-]{1,60}(?:\/[\w.-]{1,60}){1,10}|(?<![\w.])[\w-]{2,60}\.(?:[a-z]{1,4}|json|yaml|toml)(?![\w.])/g,
  /(?<!\w)(?:[a-z]{1,30}[A-Z]\w{1,40}|[A-Z][a-z]{1,30}[A-Z]\w{0,40}|\w{1,40}_\w{1,40}|--?[a-z][\w-]{1,40}|\w{2,40}\(\))/g,
  /(?<!\w)(?:ctrl|cmd|command|alt|shift|option|meta|strg)\s?\+\s?\S{1,10}/gi,
  /(?<!\w)v?\d+(?:\.\d+)+|(?<!\w)v\d+(?!\w)|#\d+/g,
];

/** The number of distinct signs in a masked text. */
export function countAnchors(text: string): number {
  const named = (text.match(/[\w.+#-]{2,40}/g) ?? []).filter(isTechnology);
  return new Set([...anchors.flatMap((pattern) => text.match(pattern) ?? []), ...named]).size;
}
