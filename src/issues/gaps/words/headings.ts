import { phrases } from './phrases.ts';

/** What a section of an issue is about. */
export type Topic =
  | 'criteria'
  | 'reproduction'
  | 'expected'
  | 'actual'
  | 'problem'
  | 'solution'
  | 'alternatives'
  | 'environment'
  | 'logs'
  | 'validation'
  | 'dependencies'
  | 'questions'
  | 'bounds'
  | 'extra';

/**
 * Headings in the most common languages of trackers. The first matching topic counts, so more specific ones come first
 * ("Describe alternatives to the solution").
 */
const topics: [Topic, RegExp][] = [
  [
    'alternatives',
    phrases`
      alternatives?; alternativ\p{L}*; workarounds?; other (?:options|solutions|approaches)
      альтернатив\p{L}*; 替代; 备选; 備選; 代替; 回避策; 대안
    `,
  ],
  [
    'questions',
    phrases`
      open (?:questions?|points?|issues?); unresolved(?: questions?)?; undecided; tbd
      to be (?:decided|discussed|clarified|defined); to (?:decide|discuss|clarify); questions?
      offene (?:fragen|punkte); questions? (?:ouvertes?|en suspens); preguntas(?: abiertas)?
      perguntas(?: em aberto)?; открытые вопросы; 待定; 待讨论; 待確認; 未决; 未解決; 検討事項; 미정
    `,
  ],
  [
    'reproduction',
    phrases`
      (?:steps )?(?:to )?reproduc\p{L}*; repro(?: steps)?; steps to \p{L}+; steps; mre; mcve
      minimal (?:\p{L}+ )?example; test case; what steps \p{L}+; schritte(?: zum \p{L}+)?
      reproduktion; reproduzier\p{L}*; nachstellen; étapes(?: pour \p{L}+)?; reproduire
      pasos(?: para \p{L}+)?; reproducir; passos(?: para \p{L}+)?; reproduzir; riprodurre; stappen
      шаги; воспроизве\p{L}*; 复现; 重现; 重現; 復現; 再现; 再現; 操作步骤; 手順; 재현
      kroki; adımlar; các bước
    `,
  ],
  [
    'solution',
    phrases`
      (?:proposed |possible |suggested |desired )?solutions?; proposals?; proposed \p{L}+; suggest\p{L}*
      (?:describe|what is) the (?:feature|what); what (?:would|do|should) (?:you|we) (?:like|want|propose|add)
      design; approach; implementation(?: \p{L}+)?; how (?:should|would|will) (?:it|this) \p{L}+
      what to (?:build|do|change); enhancement; desired \p{L}+; feature(?: description| request| idea)?
      lösung\p{L}*; vorschlag; umsetzung; wunsch; proposition; mise en œuvre; soluci[oó]n
      propuesta; solução; proposta; soluzione; oplossing; voorstel; решение; предложение
      реализация; 方案; 解决方案; 解決策; 功能描述; 建议; 建議; 实现; 實現; 提案; 実装; 対応; 期望的?效果
      你希望; 해결; 제안; 구현
    `,
  ],
  [
    'expected',
    phrases`
      expected(?: \p{L}+)?; expectations?; what (?:did|do|should) (?:you|i|we) expect\p{L}*; expect to happen
      should (?:have )?happen(?:ed)?; erwartet\p{L}*; soll(?:-| )?verhalten; sollzustand
      (?:comportement |résultat )?attendu; qu'aurait-il dû \p{L}+; (?:\p{L}+ )?esperad[oa]; atteso
      verwacht\p{L}*; ожида\p{L}*; 期望; 预期; 預期; 期待; 기대; 예상; oczekiwan\p{L}*; mong đợi; beklenen
    `,
  ],
  [
    'actual',
    phrases`
      actual(?: \p{L}+)?; current (?:behaviou?r|result|output|state); observed(?: \p{L}+)?
      what (?:happens|happened|is happening|went wrong); describe the (?:bug|issue|problem); bug description
      tatsächlich\p{L}*; ist(?:-| )?verhalten; aktuelles verhalten; was passiert; istzustand
      comportement (?:actuel|observé); que s'est-il passé; obtenu; comportamiento actual
      qué (?:pasa|ocurre|sucede); resultado (?:actual|obtenido|obtido); comportamento atual; o que acontece
      фактическ\p{L}*; текущ\p{L}* (?:поведение|состояние); что происходит; 实际; 實際; 当前行为
      問題描述; 问题描述; 実際; 現在の(?:動作|挙動); 現状; 실제; thực tế
    `,
  ],
  [
    'criteria',
    phrases`
      acceptance(?: criteria| tests?)?; criteri(?:a|on); definition of done; done when; dod; acs?
      requirements?; success (?:criteria|metrics?); deliverables?; (?:expected )?outcomes?; must[- ]haves?
      to-?dos?(?: list)?; (?:sub-?)?tasks?(?: list)?; action items; work items; checklist; next steps
      akzeptanzkriterien; abnahmekriterien; anforderungen; fertig,? wenn; aufgaben
      critères(?: d['’ ]acceptation)?; exigences; tâches; à faire; criterios(?: de aceptaci[oó]n)?
      requisitos; tareas; critérios(?: de aceita\p{L}+| de aceite)?; tarefas; criteri di accettazione
      requisiti; критерии(?: \p{L}+)?; требования; задачи; что (?:нужно )?сделать; 验收(?:标准|条件)
      驗收標準; 完成(?:标准|条件|定义); 需求; 任务; 待办; 受け?入れ?(?:条件|基準); 完了(?:条件|の定義); 要件
      タスク; やること; 완료 ?조건; 인수 ?조건; 요구 ?사항; 할 ?일
    `,
  ],
  [
    'validation',
    phrases`
      test(?:s|ing)?(?: plan| cases?| strategy| notes)?; how to (?:test|verify); verification; validation; qa
      prüfung; vérification; pruebas; verificación; testes; verificação; тестирование; проверка
      测试; 測試; 验证; テスト; 確認方法; 検証; 테스트; 검증
    `,
  ],
  [
    'dependencies',
    phrases`
      dependenc(?:y|ies); depends on; blocked by; blockers?; prerequisites?; parent(?: issue)?
      related(?: issues?| work)?; abhängigkeiten; dépendances; dependencias; dependências; зависимости
      依赖; 依賴; 依存(?:関係)?; 의존
    `,
  ],
  [
    'bounds',
    phrases`
      (?:out of |in )?scope; non-?goals?; umfang; périmètre; alcance; escopo; 范围; スコープ; 対象外
    `,
  ],
  [
    'logs',
    phrases`
      (?:relevant )?logs?(?: output| files?)?; stack ?traces?; tracebacks?; backtraces?; crash reports?
      error(?: messages?| output| logs?)?; console(?: output| log)?; fehlermeldung(?:en)?; journal
      messages? d'erreur
      mensaje de error; mensagem de erro; лог(?:и|ов)?; ошибка; 日志; 日誌; 报错\p{L}*; ログ; エラー\p{L}*; 로그
    `,
  ],
  [
    'environment',
    phrases`
      environment; (?:\p{L}+ )?versions?; version \p{L}+; system(?: info\p{L}*| details)?; platform
      operating system; os; browsers?; device; desktop; smartphone; mobile; hardware; your setup
      info(?:rmation)?; umgebung; environnement; système; entorno; ambiente; окружение; среда; версия
      环境; 環境; 版本; バージョン; 환경; 버전; type; priority; severity; category; affected \p{L}+
    `,
  ],
  [
    'problem',
    phrases`
      problem(?: \p{L}+)?; motivation; background; context; why; rationale; reason; use[- ]?cases?
      summary; overview; (?:issue )?description; introduction; user stor(?:y|ies); goals?; objectives?
      purpose; related to a problem; what problem; bug(?: report)?; issue; beschreibung; hintergrund; kontext
      warum; ziel; contexte; problème; pourquoi; objectif; description; contexto; problema
      descripción; por qué; objetivo; descrição; motivação; motivo; descrizione; motivazione
      beschrijving; описание; проблема; контекст; зачем; цель; мотивация; 背景; 问题; 問題; 动机
      描述; 说明; 目的; 概要; 動機; 理由; 課題; 使用场景; 설명; 배경; 문제; 목적; opis; mô tả; açıklama
    `,
  ],
  [
    'extra',
    phrases`
      additional(?: \p{L}+)?; anything else; notes?; other(?: information)?; screenshots?; attachments?
      references?; links?; more info(?:rmation)?; resources; sonstiges; anmerkungen; captures?
      informations? complémentaires?; capturas?; adicional\p{L}*; notas?; дополнительн\p{L}*
      скриншот\p{L}*; 补充; 附加; 其他; 其它; 截图; その他; 補足; 備考; スクリーンショット; 기타; 참고
    `,
  ],
];

const MAX_LENGTH = 140;

/** What a heading announces; undefined if it is an ordinary heading. */
export function topicOf(heading: string): Topic | undefined {
  const text = heading.slice(0, MAX_LENGTH).replaceAll('’', "'");
  return topics.find(([, pattern]) => pattern.test(text))?.[0];
}
