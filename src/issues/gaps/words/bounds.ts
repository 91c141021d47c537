import { phrases } from './phrases.ts';

const vagueVerb =
  '(?:improv(?:e|es|ing|ements?)|enhanc(?:e|ing|ements?)|optimi[sz](?:e|es|ing|ations?)|clean(?:s|ing)?[- ]?up|cleaning|refactor(?:s|ing)?|refine|polish(?:ing)?|moderni[sz](?:e|ing|ation)|overhaul|revamp|rework|restructure|reorgani[sz]e|rewrite|redesign|simplify|tidy(?:ing)?(?: up)?|tweak(?:s|ing)?|revise|review|revisit|harden|strengthen|extend|expand|fix up|speed up|streamline|increase|boost|reduce|decrease|raise)';

/** Asks for more of a quality, without a bound. */
export const unbounded = phrases`
  ${vagueVerb}
  (?:performance|usability|ux|ui|accessibility|security|stability|quality|readability|error handling|code) (?:improvements?|optimi[sz]ations?|enhancements?|fixes|clean-?up|refactor\p{L}*|issues?|problems?)
  (?:make|making|be|become|get|run|is|looks?) (?:\p{L}+ ){0,4}?(?:better|fast|faster|nicer|cleaner|easier|simpler|smoother|prettier|smarter|quicker|snappier|stronger|clearer)
  (?:more|less) (?:robust|user[- ]friendly|intuitive|efficient|readable|maintainable|secure|stable|modern|flexible|consistent|responsive|performant|accessible|scalable|reliable|professional|appealing|buggy|slow)
  (?:can|could|should|must|needs? to|has to|to) be (?:\p{L}+ )?(?:improved|enhanced|optimi[sz]ed|refactored|reworked|cleaned up|moderni[sz]ed|simplified|polished|redesigned|overhauled)
  (?:add|write|needs?|have) (?:some )?more (?:\p{L}+ )?(?:tests?|docs|documentation|examples|comments|logging|coverage)
  should be (?:fast|faster|better|robust|modern|user[- ]friendly); ugly; outdated
  modern; elegant; sleek; polished; contemporary; sophisticated; intuitive; seamless(?:ly)?; professional; appealing; beautiful
  user[- ]friendly; attractive; aesthetic\p{L}*; state of the art
  (?:less|fewer|reduced|increased|higher|lower|healthier|cleaner|better|nicer) \p{L}+; (?:easier|simpler|faster) to \p{L}+
  tech(?:nical)?[- ]debt; cruft; legacy code; code smells?
  verbesser\p{L}*; optimier\p{L}*; aufräumen; überarbeit\p{L}*; modernisier\p{L}*; vereinfachen; schöner; schneller
  besser(?:e[rsn]?)?; refaktorier\p{L}*
  amélior\p{L}*; optimis\p{L}*; nettoy\p{L}*; refonte; refactoris\p{L}*; simplifier; moderniser
  plus (?:rapide|simple|joli|clair|lisible|robuste); meilleure?
  rediseñ\p{L}*; rehacer; redesenh\p{L}*; reformular; neugestalt\p{L}*; редизайн; mejora(?:r|s|ndo)?; optimiza\p{L}*; limpi(?:ar|eza); refactoriza\p{L}*; moderniza\p{L}*; simplificar
  más (?:rápid|bonit|fácil|clar|robust)\p{L}*; mejor
  melhor(?:ar|ia|ias|es)?; otimiza\p{L}*; limp(?:ar|eza); refatora\p{L}*
  mais (?:rápid|bonit|fácil|clar|robust|intuitiv)\p{L}*; migliora\p{L}*; ottimizza\p{L}*; verbeteren; poprawić
  улучш\p{L}*; оптимиз\p{L}*; рефактор\p{L}*; переработ\p{L}*; почистить; причесать; ускорить; лучше; удобнее
  красивее; быстрее
  优化; 優化; 改进; 改進; 改善; 完善; 重构; 重構; 清理; 美化; 提升; 提高; 更好; 更快; 最適化; リファクタ\p{L}*; 整理; 高速化; 綺麗に; 使いやすく; 見やすく
  개선; 최적화; 리팩토링; 정리; 향상
`;

/** Words such as "everything", which leave the scope open. */
export const universal = phrases`
  everything; everywhere
  all (?:the |our |of the |of our |these |those )?(?:\p{L}+ ){0,2}?(?:code|pages?|tests?|docs?|documentation|scripts?|modules?|components?|places|things|files|screens?|issues|bugs|problems|languages|platforms|features|cases|parts|areas|aspects|endpoints?|views)
  the (?:whole|entire) (?:\p{L}+ )?(?:code|codebase|code base|app|application|project|site|website|thing|system|ui|page|docs|documentation|library|repo\p{L}*)
  project-?wide; code-?base; in general; general(?:ly)?; overall; various
  several (?:places|things|issues|bugs|problems); a (?:lot|bunch|number) of (?:things|stuff|issues|bugs|problems)
  not limited to; etc\.?; and so on; and more; and stuff; misc(?:ellaneous)?
  some (?:stuff|things|improvements?|fixes|changes|bugs|issues); whatever; as much as possible; wherever possible
  where possible; the rest
  alles; überall; gesamte[ns]?; ganze[ns]?; usw\.?; diverse[sn]?; allgemein; irgendwie; das ganze
  tout; partout; l'ensemble; divers(?:es)?; en général; todo; todas? partes; en general; vari(?:os|as); tudo
  em geral; diversos; vários; tutto; alles; wszystko
  всё; все; везде; весь; вообще; и т\. ?д\.?; разное; 所有; 全部; 一切; 整个; 整個; 各种; 等等; 全体; すべて; 全て; 全般; 色々; いろいろ; 諸々; 모든
  전체; 전반; 여러
`;

/** A number with a unit: something that can be measured. */
export const measure =
  /(?<![\w.])(?:[<>≤≥~]=?\s?)?\d[\d.,]*\s?(?:%|ms|µs|sec(?:ond)?s?|s|min(?:ute)?s?|hours?|hrs?|h|days?|kb|mb|gb|tb|kib|mib|gib|fps|px|pt|rows?|items?|records?|entries|requests?|req\/s|rps|qps|users?|files?|lines?|characters?|chars?|bytes?|pixels?|times|x|sekunden?|minuten|stunden|secondes?|segundos?|minutos?|секунд\w*|минут\w*|秒|分钟|毫秒|倍|个|件|回|분|초)(?![\w])/iu;

/** A bound in words: no more than, only for, limited to. */
export const limit = phrases`
  only (?:for|in|when|if|the|on|applies); limited to(?<!not limited to); at most; at least; no more than; less than; more than \d+
  under \d+; up to \d+; within \d+; not in scope; out of scope; nur (?:für|bei|in); höchstens; mindestens
  uniquement; au (?:plus|moins); solo (?:para|en); como máximo; apenas; no máximo; только для; не более; 不超过; 至少; 最多
  以内; 以下; 以上; のみ
`;

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
