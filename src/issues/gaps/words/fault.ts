import { phrases } from './phrases.ts';

/** Says that something goes wrong. */
export const failure = phrases`
  (?:do(?:es)?|did|is|are|was|were|will|would|has|have)(?: not|n't|nt)(?: \p{L}+){0,2} (?:work\p{L}*|load\p{L}*|show\p{L}*|start\p{L}*|open\p{L}*|respond\p{L}*|appear\p{L}*|save\p{L}*|update[ds]?|render\p{L}*|compile\p{L}*|display\p{L}*|match\p{L}*|do anything|recogni[sz]ed?|detected|applied|saved|called|possible)
  (?:is|are|was|were|be|been|being|gets?)(?: not|n't)(?: \p{L}+)? \p{L}{3,}(?:ed|en|wn|pt|lt)
  (?:do(?:es)?|did) not \p{L}+; (?:doesn't|didn't|isn't|aren't|wasn't|won't(?<!(?:i|we) won't)) \p{L}+
  not (?:found|recogni[sz]ed|(?!us|be|hav|go|includ|consider|do|expect|want|ask|look)\p{L}{3,}ing)
  fail(?:s|ed|ing|ures?)?; broken; breaks?; broke; crash(?:es|ed|ing)?; errors?; errored; exceptions?; wrong(?:ly)?
  incorrect(?:ly)?
  unexpected(?:ly)?; can(?:not|'t| not); unable to; hangs?; freez(?:es|e|ing); frozen; stuck; leak(?:s|ing|ed)?
  regression
  throws?; threw; panics?; panicked; segfaults?; garbled; disappears?; vanish\p{L}*; ignore[sd]?; lost; loses
  corrupt\p{L}*; bug(?:s|gy)?
  flicker\p{L}*; duplicate[ds]?; truncated; cuts? off; overlap\p{L}*; misaligned; empty; blank; stops? \p{L}+ing; no longer
  denied; tim(?:ed|es|ing) out; (?:gateway|connection|read) time-?out; rejects?; rejected; invalid; unavailable; inaccessible; unusable; unresponsive; nothing happens
  not (?:available|accessible|usable|visible|present|possible|correct|right|there|valid|supported|respected|applied|persisted|kept)
  (?:always|constantly|keeps?|keep on) \p{L}+ing; (?:never|not) (?:decreas\p{L}*|releas\p{L}*|freed|ends?|finish\p{L}*|stops?|returns?|clos\p{L}*); still (?:shows?|appears?|there|exists?|able|possible|visible|running|active|present); forever; endless(?:ly)?; sluggish(?:ly)?; slow(?:s|ed|ing)?(?: down)?; slow(?:ly|ness|er); degrad\p{L}*; no effect; don't \p{L}+
  (?:high|excessive|100%) (?:cpu|memory|ram|load)
  (?:funktioniert|geht|klappt|startet|lädt|reagiert|erscheint|wird)(?: \p{L}+){0,3} nicht; fehler(?:meldung|haft)?
  fehlgeschlagen; stürzt; absturz; abgestürzt; falsch(?:e[rsn]?)?; kaputt; hängt; langsam; verschwindet; lässt sich nicht
  (?:es )?passiert nichts; nichts passiert; rien ne se passe; no (?:pasa|sucede|ocurre) nada; n[aã]o acontece nada; nada acontece; non succede (?:nulla|niente); ничего не происходит
  nicht (?:verfügbar|erreichbar|möglich|sichtbar|angezeigt|gefunden|gespeichert)
  ne (?:\p{L}+ )?(?:fonctionne|marche|démarre|charge|répond|s'affiche|lance) (?:pas|plus); n'est (?:pas|plus)
  n'affiche (?:pas|rien|plus); erreur; plante; plantage; cassée?; échoue; échec; lente?; bogue; disparaît; vide; indisponible; impossible
  no (?:funciona|carga|abre|guarda|muestra|responde|aparece|inicia|permite|se \p{L}+); falla; fallo; fallan
  se (?:cierra|bloquea|cuelga|rompe); roto; lent[oa]; incorrect[oa]; desaparece; no (?:está )?disponible; imposible
  n[aã]o (?:funciona|carrega|abre|salva|mostra|responde|aparece|inicia|permite|est[aá] \p{L}+|é \p{L}+|coloca|efetua|consigo|consegue)
  erro; falha(?:ndo|m)?; trava(?:ndo)?; quebra(?:d[oa])?; parou de; incorret[oa]; desativad[oa]s?; indisponível; impossível
  non (?:funziona|si apre|carica|parte|risponde); errore; si blocca; werkt niet; fout(?:melding)?; nie działa; błąd
  çalışmıyor; hata; lỗi; không hoạt động
  не (?:\p{L}+ )?(?:работает|запускается|открывается|загружается|отображается|сохраняется|находит|удаётся|удается|получается|видит|\p{L}+ся)
  ошибк\p{L}*; падает; упал\p{L}*; вылета\p{L}*; зависа\p{L}*; слома\p{L}*; пропада\p{L}*; сбой; медленно; тормозит; незапуск\p{L}*
  невозможно; неправильн\p{L}*
  报错; 報錯; 错误; 錯誤; 崩溃; 崩潰; 无法; 無法; 没法; 不行; 失败; 失敗; 闪退; 异常; 異常; 卡死; 失效; 没反应; 没有反应; 毫无反应; 没有任何反应; 不显示; 打不开; 不生效; 不能; 丢失; 出错; 白屏; 太慢; 很慢; 卡顿; 不工作; 乱码
  エラー; 動(?:か(?:ない|なく)|きません|いて(?:い)?ない); 動作し(?:ない|ません); 落ち(?:る|ます); クラッシュ; でき(?:ない|ません); 失敗; 不具合; バグ; 表示され(?:ない|ません); おかしい; 遅い; 重い; 消え(?:る|ます)
  固まる; 崩れ; 何も起き(?:ない|ません); 反応し(?:ない|ません)
  오류; 에러; 안 ?(?:됩니다|돼|되|된); 실패; 크래시; 작동하지; 되지 ?않; 깨짐; 깨집니다; 느림; 느려
`;

/** Says under which condition it happens. */
export const condition = phrases`
  when(?:ever)?; (?:every|each) time; if; after; upon; while; as soon as; once; trying to; tried to; try to
  attempt(?:ing)? to
  on (?:start\p{L}*|click\p{L}*|save|load|windows|linux|mac\p{L}*|android|ios|safari|firefox|chrome)
  by (?:\p{L}+ing); using; running; clicking; calling; opening; since (?:v?\d|version|the|upgrading|updating)
  during; with
  wenn; jedes mal; sobald; beim; nachdem; während; falls; bei; nach dem; unter; versuche
  quand; (?:chaque|toutes les|à chaque) fois; lorsque?; lorsqu'\p{L}+; lors d\p{L}+; si; après; dès que
  en \p{L}+ant; depuis
  cuando; cada vez; al \p{L}+(?:ar|er|ir)(?:lo|la|me|se)?; si; después de; tras; intento; desde que
  quando; sempre que; toda vez; ao \p{L}+(?:ar|er|ir); se; depois de; após; tento; desde que; dopo
  когда; каждый раз; при; если; после; как только; пытаюсь; нажима\p{L}*; wanneer; als; gdy; khi
  当; 每次; 毎回; 매번; 當; 时; 時; 后; 後; 如果; 点击; 點擊; 之后; 使用; 打开; 运行; とき; すると; 場合; したら; 際; した後; ると; 때; 하면; 이후; 누르면
`;

/** A condition that says nothing: everybody's program "stopped working after the last update". */
export const emptyCondition = phrases`
  (?:after|since|with) (?:an? |the |this |today's |your )?(?:most )?(?:last |latest |new |newest |recent |\d+[/.]\d+ )?(?:\p{L}+ ){0,2}?(?:updates?|upgrade|release|version)
  (?:i|we)(?:'ve| have)? (?:just )?(?:updated|upgraded|installed)(?: \p{L}+){0,2}(?: with the (?:new|latest) \p{L}+)?; (?:after|since) (?:updating|upgrading|installing)(?: it| the app| the software)?
  (?:after|since) (?:yesterday|today|last week|a while|some time); (?:on|at|during) (?:the )?(?:startup|start|launch)(?: process)?
  nach dem (?:letzten )?update; (?:depuis|après|suite à) la (?:dernière )?(?:mise à jour|maj)
  después de (?:la última )?actualizar; desde la última actualización
  (?:depois d|após )a (?:última )?atualização; после (?:последнего )?обновления; при запуске; 更新后; 升级后; アップデート後
  업데이트 후
`;

/** Says that a bug is intermittent, or that the reporter does not know how to reproduce it. */
export const unsteady = phrases`
  (?:don't|do not|didn't|not sure|no idea|dont) (?:\p{L}+ ){0,2}(?:know )?(?:how|what|why|when)(?: \p{L}+){0,3} (?:reproduc\p{L}*|trigger\p{L}*|caus\p{L}*|happen\p{L}*)
  (?:can't|cannot|could not|couldn't|unable to|hard to|difficult to) (?:\p{L}+ )?reproduce
  (?:not sure|can't say|cannot say|don't know|no idea|how (?:can|do|could) i)\b[^.?!]{0,60}\b(?:diagnose|narrow (?:this|it) down|debug|investigate|track (?:this|it) down)
  no[- ]?(?:one|body) else(?: \p{L}+){0,3} (?:issue|problem|this); (?:what|which|any)(?: kind of| other)? (?:further|more|additional|other) information; sometimes; randomly; at random; intermittent(?:ly)?
  occasionally; now and then; from time to time; once in a while; not always; sporadic(?:ally)?; every now and then; for some (?:users|people|of)
  manchmal; gelegentlich; ab und zu; sporadisch; hin und wieder; nicht reproduzierbar; parfois; de temps en temps; aléatoirement; par intermittence
  a veces; de vez en cuando; aleatoriamente; às vezes; de vez em quando; a volte; иногда; периодически; время от времени; не всегда
  有时候?; 偶尔; 偶爾; 时不时; 不定时; 随机; 時々; たまに; ときどき; 再現(?:性が低い|できない|しない); 가끔; 때때로; 간헐적
`;

/** Contrasts the actual with the expected result. */
export const contrast = phrases`
  instead(?: of)?; rather than; expect(?:ed|ing|s)?(?: \p{L}+)?; supposed to; whereas
  should(?: not|n't)? (?:be|have|return|show|display|work|do|open|close|use|stay|get|give|say|only|also|still|never|always|accept|keep|print|appear|result|contain)
  ought to; works? (?:fine|correctly|well|as expected|ok); used to
  statt(?:dessen)?; anstatt; sollte(?:n)?; erwartet\p{L}*; sondern; eigentlich; au lieu d\p{L}+; devrait; devraient
  alors que; attend(?:u|ais|s); plutôt que; aurait dû
  en (?:lugar|vez) de; debería(?:n)?; se espera; sino; em vez d\p{L}+; ao invés d\p{L}+; deveria(?:m)?; esperad[oa]
  invece; dovrebbe; in plaats van; zou moeten
  вместо; долж(?:ен|на|но|ны); ожида\p{L}+; 应该; 應該; 而不是; 期望; 预期; 应当; べき; はず; 代わりに; 期待; ではなく; 대신; 해야
`;

/** Words such as "but"; next to a failure, they contrast what works with what does not. */
export const turn = phrases`
  but; however; although; even though; aber; jedoch; obwohl; mais; pourtant; pero; aunque; mas; porém; embora; ma
  però; maar; но; однако; ale; ama; nhưng; 但是?; 却; 可是; のに; ですが; しかし; 하지만; 그런데; 는데
`;

/** An error that can be searched for, named in prose. */
export const errorText = [
  /\b[A-Z]\w{2,60}(?:Error|Exception|Fault|Failure|Warning)\b/,
  /\b(?:error|exception|fehler|erreur|erro|errore|ошибка)\s?(?:message|code|meldung)?\s?[:：=]\s?\S.{5,}/i,
  /(?:error|exception|message|warning|fehler(?:meldung)?|meldung|erreur|mensaje|mensagem|erro|ошибк\p{L}*|报错|提示|错误|エラー|메시지)[^"«“「『\ue000]{0,40}(?:["«「『]|\ue000)[^"»」』]{5,}/iu,
  /\b(?:http|status|code|error|erreur|fehler|erro)\s{0,2}(?:code\s)?[45]\d\d\b|\b[45]\d\d (?:error|internal|not found|bad|forbidden|unauthori[sz]ed)/i,
  /\bexit(?:ed with)?(?: status| code)+:? [1-9]\d*|\berrno\b|\bE(?:NOENT|ACCES|CONN\w+|ADDR\w+|PIPE|PERM|EXIST|TIMEDOUT)\b|\b0x[0-9a-fA-F]{4,}\b|\bSIG(?:SEGV|ABRT|KILL|BUS)\b/,
  /\b(?:cannot|can't|could not|couldn't|unable to|failed to) \w+ .{0,60}["'\ue000][^"']{2,}/i,
];
