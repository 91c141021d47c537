import { phrases } from './phrases.ts';

const thing =
  '(?:librar(?:y|ies)|libs?|frameworks?|databases?|dbs?|rdbms|data ?stores?|storage|orm|tools?|tooling|tech(?:nolog(?:y|ies))?(?: stack)?|stack|languages?|protocols?|providers?|services?|engines?|packages?|sdks?|backends?|parsers?|bundlers?|runtimes?|platforms?|test runners?|queues?|cloud(?: provider)?|hosting|licen[sc]es?|build systems?|templat(?:e|ing)(?: engine)?|auth(?:entication)?(?: provider)?)';

/** Asks which technology, or says that it is not decided. */
export const whichTechnology = phrases`
  (?:which|what)(?: kind of| sort of| type of)? (?:\p{L}+ ){0,3}?${thing} (?:to|should|shall|do|does|would|could|can|we|will|is (?:best|better)|are|fits?|makes? sense)
  (?:decid(?:e|ing)|choos(?:e|ing)|pick(?:ing)?|select(?:ing)?|evaluat(?:e|ing)|research|compare|investigate|figure out|find|determine|agree)(?: on| upon| between| which| what| a| an| the| from| kind of| suitable| good| best| right| new|,| and| appropriate)*(?: \p{L}+){0,2}? ${thing}
  ${thing} (?:is |are )?(?:tbd|undecided|not (?:yet )?decided|to be (?:decided|determined|defined|chosen)|still open)
  ${thing} (?:choices?|selection|decision); (?:choice|selection) of (?:\p{L}+ )?${thing}; not (?:yet )?sure (?:which|what)(?: \p{L}+)? ${thing}
  welche[srn]?(?: \p{L}+)? (?:bibliothek|framework|datenbank|werkzeug|tool|technologie|sprache|format|dienst|anbieter|paket|orm)
  (?:bibliothek|framework|datenbank|technologie|tool|format) (?:ist |noch )?(?:offen|unklar|nicht entschieden|zu entscheiden)
  quel(?:le)?s?(?: \p{L}+)? (?:bibliothèque|librairie|framework|base de données|outil|technologie|langage|format|service)
  qué (?:librería|biblioteca|framework|base de datos|herramienta|tecnología|lenguaje|formato|servicio)
  qual (?:biblioteca|framework|banco de dados|ferramenta|tecnologia|linguagem|formato|serviço)
  как(?:ую|ой|ие|ое) (?:библиотек\p{L}*|фреймворк\p{L}*|баз\p{L}* данных|инструмент\p{L}*|технологи\p{L}*|язык|формат|сервис)
  (?:哪个|哪種|哪种|什么|何种)(?:库|框架|数据库|技术|工具|格式|语言|方案); 技术选型; 选型; どの(?:ライブラリ|フレームワーク|データベース|ツール|技術|言語|形式)
  (?:ライブラリ|フレームワーク|データベース|技術|ツール)(?:の)?選定; 어떤 (?:라이브러리|프레임워크|데이터베이스|도구|기술)
`;

/** Asks for a library without naming one; in a title, this leaves the choice open. */
export const unnamedTechnology = phrases`
  (?:add|use|introduce|integrate|adopt|find|switch to) (?:an?|some) (?:\p{L}+ ){0,2}?(?:library|framework|orm|database|test runner|bundler) (?:for|to)
`;

/** The sentence weighs alternatives, so what is next to "or" is not decided. */
export const weighing = phrases`
  maybe; perhaps; either; could (?:also )?(?:use|be|go|switch|try|do|store|write); might (?:use|be|want)
  may (?:use|be); should we; shall we; do we; not sure; unsure; undecided; decide; decision; consider(?:ing)?
  evaluat\p{L}*; options?(?: are| include|:); choose; choice; pick; alternatively; tbd; to be decided; vs\.?; versus
  or maybe; or perhaps; or something; something like; thinking (?:of|about); compare; which (?:one|is); probably
  candidates?; we have to choose; wondering
  vielleicht; entweder; könnten; evtl\.?; eventuell; oder doch; sollen wir; unklar; noch offen; unentschieden
  überlegen; abwägen; zur auswahl
  peut-être; soit; pourrait; pourrions; ou bien; à décider; hésit\p{L}*; tal vez; quizás?; podríamos; podría; o bien
  por decidir; talvez; poderíamos; poderia; ou então; a definir; a decidir; forse; oppure; misschien
  может быть; возможно; либо; или же; стоит ли; не решили; выбрать; решить; 还是; 還是; 或许; 也许; 待定; 考虑; 未定; 検討; どちら
  それとも; かもしれ; 혹은; 아니면; 고민; 미정
`;

const notMade = `
  not (?:yet )?(?:been )?decided; (?:haven't|hasn't) (?:yet )?(?:been )?decided; undecided; tbd; to be (?:decided|determined|chosen); still open
  (?:still|yet) (?:have|has|need|needs)? ?to (?:choose|decide|pick); can't decide; no decision
  unentschieden; noch (?:offen|nicht entschieden); à décider; pas encore décidé; por decidir; a decidir; indeciso
  не решили; не решено; ещё не выбрали; 待定; 还没(?:决定|定); 未定; 決まっていない; 미정
`;

/** Says explicitly that a choice is not made. */
export const choiceNotMade = phrases`${notMade}`;

/** The same, or at least a doubt about it. */
export const undecided = phrases`
  ${notMade}
  to be defined; not (?:yet )?sure; unsure; (?:have|need|has) to (?:choose|decide|pick); which one
  decide (?:on|between|which); to choose between; noch unklar; à définir; por definir; a definir; 検討中
`;

/** What a choice of technology is about if no product is named. */
export const technical = phrases`
  ${thing}; files?; formats?; disk; memory; browsers?; cookies?; servers?; client(?:[- ]side)?; caches?; schemas?; encoding; api
  datei(?:en)?; datenbank; speicher; format; fichiers?; base de données; navigateur; archivos?; base de datos; arquivos?
  banco de dados; navegador; файл\p{L}*; баз\p{L}* данных; браузер\p{L}*; 文件; 数据库; 浏览器; ファイル; データベース; 파일; 데이터베이스
`;

/** The issue leaves open how the thing has to behave. */
export const openQuestion = phrases`
  (?:should|shall) (?:we|it|this|they|the|i|there|that|users?)\b[^?.]{3,200}\?
  (?:do|would|can) we (?:want|need|have|really|also|even)\b[^?.]{3,200}\?
  (?:what|how|where|when) (?:should|shall|do we|would we|are we|happens|will)\b[^?.]{3,200}\?
  not sure (?:if|whether|how|what|which|where) (?:we|this|that|it|to|the)
  (?:i'm |we're |am |are )?unsure (?:if|whether|how|what|about|which); tbd
  to be (?:decided|determined|discussed|defined|clarified|confirmed)
  (?:need|needs|have|has) to (?:decide|figure out|discuss|clarify|agree|define|think about|determine)
  (?:still )?(?:undecided|unclear|open for discussion|up for discussion|up for debate); open questions?
  we (?:should|need to|must|have to) (?:decide|discuss|figure out|come up with|think about|find a way)
  one way or (?:the other|another); or something (?:else|similar|along those lines); (?:perhaps|maybe)\b[^.?!]{3,150}\b(?:perhaps|maybe)
  (?:we|there)(?:'re| are| have)? (?:now )?(?:have|are)? ?(?:now )?(?:several|two|three|a few|some|multiple|different) (?:options|possibilities|ways to|approaches|alternatives)
  let's (?:discuss|decide|figure out); (?:any|what) (?:ideas|thoughts|suggestions|opinions)\b[^?.]{0,80}\?
  looking for (?:feedback|ideas|input|suggestions); requesting (?:feedback|comments)
  what do (?:you|we|people|others) think
  soll(?:en|te|ten)? (?:wir|es|das|die|der|man)\b[^?.]{3,200}\?
  (?:noch )?(?:zu klären|offen|unklar|nicht entschieden|abzustimmen)
  müssen wir (?:noch )?(?:klären|entscheiden|besprechen); wie (?:soll|sollen|gehen)\b[^?.]{3,200}\?
  (?:devrait|doit|faut|faudrait)-(?:on|il)\b[^?.]{3,200}\?; à (?:définir|discuter|préciser|décider|clarifier)
  reste à (?:définir|décider|voir); ¿(?:deberíamos|debería|debe|cómo|qué)\b[^?]{3,200}\?
  por (?:definir|decidir|discutir|aclarar); falta (?:definir|decidir); (?:deveríamos|devemos|deve)\b[^?.]{3,200}\?
  a (?:definir|discutir|decidir|combinar); precisamos (?:definir|decidir|discutir)
  da (?:definire|decidere|discutere)
  (?:должн\p{L}+|нужно|стоит|надо) ли\b[^?.]{3,200}\?; надо (?:обсудить|решить|подумать)
  (?:не решено|не решили|не понятно|непонятно|обсудить); 是否(?:应该|需要|要); 要不要; 待(?:讨论|确认|定|商议|決定); 还没(?:想好|决定|确定)
  尚未(?:确定|决定); べきか; 要(?:検討|確認|相談); 未定; どう(?:する|すべき)か; 決(?:まって|めて)い?ない; 相談したい; 논의(?:가)? ?필요; 결정(?:이)? ?필요; 미정
`;

/** A polite request ("could you add …?"), or a question after everything was said; it leaves nothing open. */
export const politeQuestion = phrases`
  (?:can|could|would|will) you; is (?:it|there) (?:possible|a way|any way|any chance|any plan|something)
  any (?:plans?|chance|news|updates?|eta); would it be possible; possible to; am i (?:doing|missing); what am i
  how (?:can|do|to|could) i; did i; does (?:anyone|anybody|someone); has anyone
`;

/** Hints at other work that has to come first or is under way. */
const work =
  '(?:refactor\\p{L}*|re-?writ(?:e|ing)|migration(?= (?:to|from|of|is|has|work|project)|[.,;)]|$)|redesign|rework|overhaul|restructur\\p{L}*|upgrade|new (?:\\p{L}+ )?(?:apis?|endpoints?|version|system|design|schema|service|architecture|parser|engine|component|module|login|database|server|model|editor|ui|layout|pipeline|infrastructure|backend|framework)|(?:design|backend|frontend|infra\\p{L}*|platform|other|another|core|data|ops|security|identity|\\p{L}+) team|designers|prs?|pull requests?|merge requests?|(?:next|major|upstream|upcoming) releases?|upstream (?:fix|change|release|version)|schema change|other (?:issues?|tickets?|tasks?|work|changes?|features?|project)|first part|previous (?:task|step|issue|ticket)|groundwork|back-?end (?:work|part|changes?))';

export const otherWork = phrases`
  (?:after|once|until|as soon as|pending|following|before we can|wait(?:ing)? (?:for|on|until)) (?:the |an? |our |that |this |some |any |their |these |upcoming |planned |ongoing |completion of |we have ){0,3}(?:\p{L}+[ -]){0,2}?${work}
  (?:needs?|requires?|relies on|builds? (?:up)?on|on top of|part of|dependent on|depend(?:s|ing)? on|assumes) (?:the |an? |our |some )?(?:new|upcoming|planned|ongoing|future|other|updated|next|refactored|rewritten) (?:\p{L}+[ -]){0,2}?(?:apis?|endpoints?|${work})
  (?:once|after|until|as soon as|when) (?:it|that|this|those|these) (?:is|are|has been|have been|gets?|was|were) (?:merged|released|implemented|in place|deployed|landed)
  (?:once|after|until|as soon as|when) (?:they|we|the other \p{L}+) (?:are|have|is|has|'re|'ve) (?:done|finished|ready|\p{L}+ed (?:it|that|this|their))
  (?:once|after|until|as soon as|when) [\p{L} -]{2,60} (?:is|are|has been|have been|gets?) (?:merged|landed)
  (?:once|after|until|as soon as|when) [\p{L} -]{0,40}(?:support|implementation|integration|functionality|feature|work) (?:is|has been|gets) (?:ready|available|done|finished|complete[d]?|implemented|in place|added)
  blocked (?:by|on|until|for now); (?:currently|is|still) blocked; blocker:
  can(?:not|'t) (?:start|begin|be (?:done|started|implemented|merged)|proceed|do this|implement) (?:until|before|without|yet)
  (?:needs?|requires?|depends? on) (?:the|an?|our|some|another|other|new) .{3,80}\b(?:first|beforehand|to be (?:done|merged|finished|ready|implemented|completed|in place) (?:first|before))
  (?:the|another|an) other team; waiting (?:for|on) (?:upstream|approval|feedback|another|other|the (?:\p{L}+ ){0,2}team)
  depend(?:s|ent|ing)? on (?:the|an?|another|other|some|our) (?:\p{L}+ ){0,4}?(?:work|issue|ticket|task|change|feature|refactor\p{L}*|team|pr|release|project|story)
  (?:sobald|nachdem|erst wenn|nach dem|nach der|solange) .{2,80}(?:fertig|gemergt|gemerged|verfügbar|umgestellt|abgeschlossen|umgebaut|umbau|refactoring|umstellung|migration|umzug|erledigt|da ist|steht|release|live)
  blockiert (?:durch|von|bis); hängt (?:noch )?(?:von .{2,60} )?ab; abhängig von; wartet? (?:noch )?auf
  warten (?:noch )?auf; setzt .{2,60} voraus; braucht (?:erst|zuerst|vorher|noch) 
  braucht (?:die|das|den) neue[nrs]?; andere[sn]? team
  bloquée? (?:par|tant que|jusqu); dépend (?:de|du|des|d)
  une fois (?:que )?.{2,80}(?:terminée?s?|prête?s?|finie?s?|disponible|fusionnée?|livrée?|faite?|en place)
  après (?:la|le|les) (?:refonte|migration|refactor\p{L}*|mise en place|livraison|bascule|passage)
  en attente (?:de|du|d); nécessite (?:d'abord|la nouvelle|le nouveau|la nouvel); l'autre équipe
  bloquead[oa] (?:por|hasta); depende de
  (?:una vez|cuando|después de) (?:que )?.{2,80}(?:terminad[oa]|list[oa]|disponible|hech[oa]|migrad[oa]|migración|refactorización|publicad[oa]|fusionad[oa])
  a la espera de; necesita (?:primero|la nueva|el nuevo); otro equipo; bloquead[oa] (?:por|até|pel[oa])
  depende d[aoe]s?
  (?:assim que|quando|depois (?:que|d[aoe])|após) .{2,80}(?:pront[oa]|conclu[ií]d[oa]|disponível|migra\p{L}+|refatora\p{L}+|publicad[oa]|mesclad[oa])
  aguardando; precisa (?:primeiro|d[ao] nov[oa]); outra equipe; dipende da; in attesa di; bloccat[oa] da
  afhankelijk van; geblokkeerd door
  (?:за)?блокирован\p{L}*; завис(?:ит|ят) от; после (?:рефакторинга|миграции|переезда|релиза|перехода|того как)
  как только .{2,80}(?:готов\p{L}*|будет|выйдет|закончат|смерж\p{L}*); (?:ждём|ждем|ожидаем|ждать)
  нужн\p{L} (?:сначала|нов\p{L} api); друг(?:ая|ой) команд\p{L}; 依赖(?:于)?; 依賴; 等.{0,20}(?:完成|发布|合并|上线|做完|就绪|好了)
  (?:重构|迁移|升级|改版|上线)(?:完成|结束)?(?:之)?后; 需要先; 被.{1,20}(?:阻塞|卡住); 前置; (?:に|へ)依存
  (?:完了|マージ|リリース|対応|実装|移行|リファクタ\p{L}*)(?:し|され|でき|が済ん)?(?:た|て)?(?:後|あと|から|次第|まで); 待ち; ブロックされ; 前提; 의존
  (?:완료|머지|배포|출시)(?:되면|된 ?후|된 ?뒤|이후); 대기 ?중; 다른 팀
`;

/** Refers to something said elsewhere that the reader does not know. */
export const elsewhere = phrases`
  (?:as|like) (?:we )?(?:discussed|mentioned|talked about|agreed|said)(?: (?:in|on|at|with|during|before|earlier|yesterday|last|offline|via))?
  (?:see|per|from|following) (?:the |our |my |that |last |yesterday's )?(?:slack|discord|teams|email|mail|call|meeting|chat|conversation|discussion|thread|standup|stand-up|retro)(?: \p{L}+)?
  (?:discussed|mentioned|agreed|talked) (?:in|on|at|during) (?:the |our |last |yesterday's )?(?:slack|discord|teams|email|call|meeting|chat|standup|stand-up|retro|channel)
  you know what i mean; the usual(?: \p{L}+)?; same as (?:last time|before|the other one); wie besprochen
  (?:siehe|aus|laut) (?:slack|mail|chat|meeting|besprechung|gespräch); comme (?:discuté|convenu|vu ensemble|évoqué)
  como (?:hablamos|acordamos|comentamos|conversamos|combinamos|combinado|falamos)
  как (?:обсуждали|договорились|говорили); 如(?:之前|上次)?(?:讨论|所说|商量); 之前(?:说|讨论|提到)(?:的|过); 先日(?:話|相談); 例の
  (?:話した|相談した)(?:件|通り); 논의한; 말씀드린
`;
