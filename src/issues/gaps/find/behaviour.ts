import type { Evidence } from '../gap.ts';
import type { IssueText, ReadText } from '../issue-text.ts';
import { contentAmount, countAnchors } from '../text/content.ts';
import { limit, measure, modal, reason, story, wish } from '../words/bounds.ts';
import { order } from '../words/kinds.ts';
import { phrases } from '../words/phrases.ts';
import { type Beyond, isVague } from './vagueness.ts';

const example = phrases`
  for (?:example|instance); e\.g\.?; such as; like (?:this|in|the one); similar to; same (?:as|way); just like; the way; as in
  zum beispiel; z\. ?b\.; beispielsweise; par exemple; comme dans; por ejemplo; por exemplo; ad esempio; например
  例如; 比如; 类似; 類似; 例えば; のように; 예를 들; 처럼
`;
/** A change from one thing to another, such as "rename A to B"; such a sentence says what to do. */
const change = phrases`
  (?:bump|upgrade|update|migrate|move|switch|port|convert|rename|replace|change|downgrade|convert|split|extract|merge|swap|transition|isolate|separate|decouple)\b.{1,80}\b(?:to|from|with|into|by|in favou?r of|for|out of)
  (?:remove|drop|delete|deprecate|pin|disable|stop (?:using|supporting)|get rid of)
  (?:ersetzen|umbenennen|entfernen|aktualisieren|umstellen|löschen|migrieren)
  (?:remplacer|renommer|supprimer|retirer|migrer|mettre à jour)
  (?:reemplazar|renombrar|eliminar|quitar|migrar|actualizar|substituir|renomear|remover|atualizar)
  (?:заменить|переименовать|удалить|обновить|перенести|убрать); 替换; 重命名; 删除; 移除; 升级到; 迁移到; 置き換え; 改名; 削除; 移行; 교체; 삭제
  제거; 변경
`;

/** Says how the work is checked. */
const checked = phrases`
  (?:existing|all|unit|integration|regression|e2e|end-to-end|acceptance|automated|new|these|our) (?:\p{L}+ )?tests?
  tests? (?:for|that|must|should|cover\p{L}*|pass(?:es)?|stay|remain|have to|will|are|case); verif(?:y|ied) (?:that|by|with|in|on|if|whether)
  (?:be|is|gets?) (?:tested|verified|validated|checked) (?:by|with|on|in|against|manually); test coverage; benchmark
  tests? (?:müssen|bleiben|sollen|für); getestet (?:mit|wird|werden); les tests; tests unitaires; vérifi(?:er|é) (?:que|par)
  pruebas (?:unitarias|para|deben); verificar que; testes (?:unitários|para|devem); тест(?:ы|ами|ов)?; проверить,? что
  (?:单元|自动化|回归)测试; 测试用例; 验证方法; テスト(?:を|で|が|ケース); 単体テスト; 테스트(?:를|로|가)
`;

/** Work that everybody knows how to do, and when it is done. */
const plain = phrases`
  (?:make|cut|issue|publish|tag|have|need|do|prepare) (?:an? |the )?(?:new |next )?(?:release|version); new release; fix (?:an? |the )?typos?
  neue[sn]? release; nouvelle version; nueva versión; nova versão; новый релиз; 发布新版本?; 新しいリリース; typos?; tippfehler
`;

/** A sentence with this many names, numbers and pieces of code describes something, however it is worded. */
const MANY = 3;

const isDemand = (words: string) =>
  modal.test(words) || wish.test(words) || limit.test(words) || order.exec(words)?.index === 0;

/** Sentences that say specifically how the thing has to behave. */
export function findBehaviour(text: ReadText, beyondTitle: Beyond): Evidence[] {
  return text.sentences.flatMap(({ text: words, at, piece }) => {
    const told = beyondTitle(words);
    if (silent.has(piece.topic ?? '') || told === 0 || isVague(words)) return [];
    const found: Evidence[] = [];
    const add = (kind: Evidence['kind'], weight: number) =>
      found.push(text.evidence(kind, at, words.length, Math.min(1, Math.round(weight * 100) / 100)));
    const said = contentAmount(words);
    const measured = measure.test(words);
    const certain = countAnchors(words) + (measured ? 1 : 0);
    if (told >= (certain > 0 ? 2 : 3) && (measured || certain >= MANY || isDemand(words)))
      add('behaviour', 0.36 + 0.2 * Math.min(certain, 2) + 0.06 * Math.min(told, 8));
    if (measured) add('measure', 1);
    if (checked.test(words)) add('test_plan', 0.8);
    if (example.test(words) && (certain > 0 || said >= 3)) add('example', certain > 0 ? 1 : 0.6);
    if (change.test(words) && (certain > 0 || said >= 4)) add('target', certain > 0 ? 1 : 0.5);
    if (story.test(words) && said >= 4) add('story', 1);
    else if (reason.test(words) && said >= 2) add('reason', 0.5);
    return found;
  });
}

/** A title can be the whole request: "Rename `foo` to `bar`". */
export function findInTitle({ titleText, inTitle }: IssueText): Evidence[] {
  const found: Evidence[] = [];
  const certain = countAnchors(titleText) + capitalised(titleText);
  const said = contentAmount(titleText);
  if (change.test(titleText) && (certain > 0 || said >= 5))
    found.push(inTitle('target', certain > 0 ? 1 : 0.5));
  else if (plain.test(titleText)) found.push(inTitle('target', 1));
  if (example.test(titleText)) found.push(inTitle('example', 1));
  if (measure.test(titleText)) found.push(inTitle('measure', 1));
  if (story.test(titleText)) found.push(inTitle('story', 1));
  if (modal.test(titleText) && said >= 3) found.push(inTitle('behaviour', 0.6));
  if (said > 3)
    found.push(inTitle('title', Math.min(1, Math.round((said - 3 + Math.min(certain, 2)) * 20) / 100)));
  return found;
}

/** Names inside a title; the first word does not count. */
function capitalised(title: string): number {
  return title.match(/(?<=\S\s{1,3})\p{Lu}[\p{L}\p{N}.+#]+/gu)?.length ?? 0;
}

const silent = new Set(['environment', 'logs', 'alternatives']);
