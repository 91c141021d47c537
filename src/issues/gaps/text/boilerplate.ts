import { everywhere, phrases } from '../words/phrases.ts';
import { contentAmount } from './content.ts';

/** Boxes that a form makes everybody tick. */
const declaration = phrases`
  i(?:'ve| have| am|'m| agree| confirm| understand| searched| read| checked| verified| will| would| can| want| acknowledge|'d)
  this (?:is|issue|bug|problem|feature|request) (?:is |has |does )?(?:not|a|an|isn't|hasn't|unique|still)
  my (?:issue|problem|question|report); yes; no; are you willing; no(?:t a)? duplicates?; code of conduct
  existing issues; latest (?:version|release); ich habe; j'ai; he (?:leído|buscado|verificado|comprobado)
  (?:eu )?(?:li|pesquisei|verifiquei|procurei); я (?:прочитал|проверил|искал|согласен)\p{L}*; 我(?:已|确认|同意|确定)
  確認しました; 検索しました; 확인했습니다
`;
/** Fits any work, so it says nothing about this one. */
const generic = phrases`
  (?:\p{L}+ )?works? as (?:expected|intended|described|before)
  (?:[\p{L}/]{1,40} ){0,3}tests? (?:pass(?:es|ing)?|added|written|updated|are green|green|cover\p{L}*)
  (?:code )?review(?:ed)?(?: and merged)?; merged; deployed
  (?:docs?|documentation|readme|changelog) (?:is |are )?(?:updated|added|written); no regressions?
  lint(?:s|ed)? (?:passes|clean); ci (?:passes|is green); approved; done; bug (?:fix|report); new feature
  breaking change; documentation; other; refactor(?:ing)?; question; feature(?: request)?; enhancement
`;

const everyGeneric = everywhere(generic);

/** Whether an entry with a box comes from a form, or fits any work. */
export function isBoilerplate(text: string): boolean {
  return (declaration.exec(text.trim().slice(0, 120))?.index ?? 99) <= 3 || isGeneric(text);
}

/** The entry contains only words that fit any work. */
function isGeneric(text: string): boolean {
  const rest = text.replace(everyGeneric, '');
  return generic.test(text) && contentAmount(rest) <= 1;
}
