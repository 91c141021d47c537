import { phrases } from './phrases.ts';

/** Something is wanted that does not exist. */
export const wish = phrases`
  add(?:ing)?; support(?:ing)?(?: for)?; allow(?:s|ing)?; enable; implement(?:ing)?; introduce; provide; create
  build; (?:an? )?(?:option|ability|way|possibility|button|setting|flag|command) (?:to|for|that); ability to
  be able to; feature request; new feature; make it possible; as an? \p{L}+,? i
  (?:would|could|might|'d|it'd) (?:be|like|love|really) (?:\p{L}+ )?(?:nice|great|cool|useful|helpful|good|awesome|to|handy|better|love|like)
  i(?:'d| would) (?:like|love); can (?:we|you) (?:add|have|get|support|please); could (?:we|you); wish
  please (?:add|support|allow|implement|provide|make|consider); suggest(?:ion)?; propos(?:e|al)
  we(?:'ll| will)? (?:should|could|want to|need to|must|need an?|want an?)
  hinzufügen; unterstützen; unterstützung; einbauen; ermöglichen; möglichkeit
  wäre (?:\p{L}+ )?(?:schön|toll|gut|super|praktisch|hilfreich|cool); wünsch\p{L}*; ich möchte; würde gerne
  einführen
  ajout(?:er|ez)?; serait (?:\p{L}+ )?(?:bien|utile|pratique|sympa|cool|intéressant); possibilité; permettre
  prise en charge; pouvoir; souhait\p{L}*; voudrais; aimerais
  agregar; añadir; sería (?:\p{L}+ )?(?:bueno|útil|genial|ideal|interesante); posibilidad; permitir; soporte para
  quisiera; me gustaría; poder
  adicionar; seria (?:\p{L}+ )?(?:bom|legal|interessante|útil|ótimo); possibilidade; suporte (?:a|para); gostaria
  criar; implementar; aggiungere; sarebbe; possibilità; toevoegen; dodać; eklenmeli; thêm
  добав(?:ить|ьте|ление); было бы; хотелось бы; возможность; поддержк\p{L}*; прошу; сделать; реализовать; хочу
  希望; 增加; 添加; 支持; 建议; 建議; 能否; 新增; 是否可以; 可否; 想要; 请求; 追加; 対応; 欲しい; ほしい; したい; できるように; 要望; 提案; 추가; 지원; 원합니다; 있으면 좋겠; 했으면
`;

/** How the thing has to behave; one of these alone is not enough, see find/behaviour.ts. */
export const modal = phrases`
  should(?: not|n't)?; could be; must(?: not|n't)?; shall; needs? to; has to; have to; ought to; be able to; will(?: not)?
  won't; would; can; cannot; may; only; always; never; by default; allows? \p{L}+; lets? \p{L}+; returns?; accepts?
  shows?; displays?; supports?; prints; stays; remains; exits; responds; redirects; sends; lists; defaults to; instead of; i (?:want|would like|need); we (?:want|need|should)
  soll(?:te|en|ten)?; muss; müssen; darf; dürfen; kann; können; wird; werden; immer; nur; zeigt; liefert
  doit; doivent; devrait; devra; peut; pouvoir; permet\p{L}*; affiche; renvoie; toujours; il faut; faudrait
  debe(?:n|ría|rían|rá)?; tiene que; puede(?:n)?; permit\p{L}*; muestra; siempre; poder; deve(?:m|ria|riam|rá)?
  tem que; pode(?:m|r|ria)?; mostra; sempre; deve; può
  долж(?:ен|на|но|ны); нужно; необходимо; может; можно; всегда; только; показыва\p{L}*; возвраща\p{L}*
  应该?; 應該; 必须; 必須; 需要; 可以; (?<![功不])能够?; 支持; 默认; 自动; 显示; 返回; 希望; べき; する(?:こと|ように)?; できる; できるように; 必要; 表示; 常に; 해야; 수 있; 필요; 표시
`;

/** A user story ("As a … I want … so that …"), which says for whom and why. */
export const story = phrases`
  as an? .{2,80}?,? i (?:want|would like|need|'d like|can|should); als .{2,60} (?:möchte|will|brauche) ich
  en tant qu\p{L}* .{2,60} je (?:veux|voudrais|souhaite); como .{2,60} (?:quiero|quero|necesito|preciso|gostaria)
  как .{2,60} я хочу; 作为.{1,30}我(?:想|希望|需要); .{1,30}として.{1,60}(?:したい|ほしい|欲しい)
`;

/** Why it is wanted, or what is bad today. */
export const reason = phrases`
  because; since; so that; in order to; so (?:we|users|people|i|that|they|you); otherwise; currently; at the moment
  right now; today; this (?:makes|means|would|will|leads|causes|allows|helps); the (?:problem|reason|issue) is
  at present; annoying; hard to; difficult; have to \p{L}+ manually; useful (?:for|when|if); helps?
  for (?:accessibility|security|performance|consistency); to avoid; to prevent; to make
  weil; damit; aktuell; derzeit; momentan; bisher; denn; um .{3,60} zu; sonst
  parce que; car; afin d\p{L}+; actuellement; pour (?:pouvoir|éviter|que); puisque; sinon
  porque; para que; actualmente; ya que; para (?:evitar|poder); atualmente; pois; já que; perché; attualmente; omdat
  zodat
  потому что; чтобы; сейчас; так как; поскольку; для того; иначе
  因为; 因為; 目前; 现在; 為了; 为了; 以便; 由于; 所以; 方便; 避免; ため; ので; 現在; 現状; から; 때문; 위해; 현재
`;
