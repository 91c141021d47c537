import { everywhere, phrases } from '../words/phrases.ts';
import { contentAmount } from './content.ts';

/** What a form inserts if nobody wrote anything, or what people write if they have nothing to say. */
const nothing =
  /^[\s_*~()[\]{}<>.…\-–—:;,!?/\\|#+=0]*(?:no response|n\/?a|none|null|nil|nothing|not applicable|unknown|idk|same|no|tba|keine?|aucune?|rien|ninguno?|nada|nenhuma?|nessuno|нет|无|無|没有|なし|特になし|없음)?[\s_*~()[\]{}<>.…\-–—:;,!?/\\|#+=]*$/i;

const ofTheReport =
  'your|you|here|below|above|details?|information|steps|screenshots?|logs?|versions?|the (?:bug|problem|issue|feature|following)|this (?:bug|issue|feature|section)|existing issues|template';

/** Sentences of a template for the person who fills it in. */
const instruction = phrases`
  a clear and concise description\b.{0,80}; if applicable,? add; ex\. i'm always frustrated
  steps to reproduce the behaviou?r:?
  add (?:any|screenshots?|a screenshot|other|more)\b.{0,60}\b(?:here|below|problem|context|request|applicable)
  (?:please|kindly),? (?:describe|provide|add|include|fill|tell|explain|give|paste|attach|list|enter|complete|specify|check|search|read|use|make sure|write|leave)\b.{0,60}\b(?:${ofTheReport})
  (?:describe|explain|tell us|provide|paste|include|list|enter|fill in|write|give|attach|share)\b.{0,60}\b(?:${ofTheReport})
  (?:one|a) paragraph explanation; this is the bulk of the rfc; explain the design in enough detail; this should get into specifics
  why are we doing this\?; what use cases does it support; why should we \*{0,2}not\*{0,2} do this; what other designs have been considered
  what parts of the design (?:are still|do you expect); replace this (?:text|line); delete this (?:line|section); your (?:text|answer|description) here; lorem ipsum
  (?:what|which|why|where) (?:did|do|would|were|are|version|browser|os)\b[^?]{0,60}\byou (?:expect|like|want|propose|see|seeing|doing|trying|using|running|use|run)\b[^?]{0,80}\?
  bitte (?:beschreib|gib|füge|trage|ergänz|nenn|erklär)\p{L}*
  (?:veuillez|merci de) (?:décrire|préciser|joindre|indiquer|fournir|ajouter)
  une description claire; por favor,? (?:describ|proporcion|agreg|añad|inclu|descrev|forne|adicion|inform)\p{L}*
  una descripción clara
  uma descrição clara; пожалуйста,? (?:опишите|укажите|приложите|добавьте)
  опишите (?:здесь|проблему|кратко|подробно); (?:чёткое|четкое) и краткое описание
  请(?:在此|描述|提供|填写|详细|简要|清晰|尽可能|附上|说明|补充); 請(?:描述|提供|填寫|詳細); 在此处?(?:描述|填写); 可以补充; 你(?:打算|希望|期望).{0,40}？
  (?:記載|記入|説明|入力|添付)して(?:ください|下さい); (?:작성|설명|입력|첨부)해 ?주세요
`;

/** Sample steps and items of a template: `Go to '...'`, `[e.g. iOS]`, `AC 1`, `Step 2`. */
const sample = [
  /^(?:go to|click on|scroll down to)\s['"‘“]?\.{2,}/i,
  /^see error\.?$/i,
  /^[([{<](?:fill|your|if any|leave|put|optional|insert|enter|replace)(?!\p{L})[^\])}>]{0,120}[\])}>]$/iu,
  /^[\p{L} /-]{0,40}[:：]?\s*[[(（]?(?:e\.g\.|eg\b|ex:|for example|例如|z\. ?b\.|par ex|p\. ?ex|напр|例：)[^\])）]{0,80}[\])）]?\.?$/iu,
  /^(?:ac|step|item|(?:sub-?)?task|defect|criteri(?:on|a)|requirement|todo|example|point|scenario|feature|bug|line|case|schritt|aufgabe|étape|paso|passo|шаг|步骤|ステップ)\s*#?\d*\s*(?:[:.]|\.{2,}|…)?$/i,
  /^(?:[*_]{0,2}\p{L}{3,12}:?[*_]{0,2}:?\s{1,3})?(?:some|another|an?)\s[\p{L}\s-]{3,60}\(_?(?:ex:|e\.g\.|optional)[^)]{0,120}\)\.?$/iu,
  /^as an? (?:\[[^\]]*\]|<[^>]*>|_+|\.{2,})?,?$/i,
  /^(?:i(?:'d| would)? (?:like|want)(?: to)?|so that(?: i can)?|given|when|then|and|but)[\s,.…]*$/i,
];

/** Whether this text says nothing: an empty field, or the template's own words. */
export function isPlaceholder(text: string): boolean {
  const plain = text
    .trim()
    .replace(/^\*{1,2}|\*{1,2}$/g, '')
    .trim();
  if (nothing.test(plain.slice(0, 200)) && plain.length < 200) return true;
  // Templates explain themselves in italics.
  if (
    /^([_*])(?![_*\s]).{20,1500}[^\s]\1$/s.test(text.trim()) &&
    !/[_*]\s.*\s[_*]/s.test(text.trim().slice(1, -1))
  )
    return true;
  if (plain.length > 300) return false;
  return sample.some((pattern) => pattern.test(plain)) || isInstruction(plain);
}

/** An instruction counts only at the beginning, because a person may use the same words later in a sentence. */
function isInstruction(text: string): boolean {
  const match = instruction.exec(text);
  return match !== null && match.index <= 4;
}

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
