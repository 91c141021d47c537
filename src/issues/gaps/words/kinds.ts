import type { IssueKind } from '../gap.ts';
import { phrases } from './phrases.ts';

/** Words that name the kind in a label, or in `[…]` or `…:` in front of a title. */
export const marks: [IssueKind, RegExp][] = [
  [
    'bug',
    /(?<![a-z])(?:bugs?|bug report|fix|hotfix|defect|regression|crash|fehler|incident|broken|erreur|erro|ошибка)(?![a-z])|缺陷|故障|バグ|不具合|버그/i,
  ],
  [
    'docs',
    /(?<![a-z])(?:docs?|documentation|readme|typo|translation|i18n|dokumentation|documentação|documentación|документация)(?![a-z])|文档|文檔|ドキュメント|문서/i,
  ],
  [
    'question',
    /(?<![a-z])(?:questions?|help(?! wanted)|support|discussion|discuss|how[- ]?to|frage|pergunta|pregunta|вопрос)(?![a-z])|问题咨询|提问|问答|質問|질문/i,
  ],
  [
    'feature',
    /(?<![a-z])(?:feat|features?|feature[- ]requests?|enhancements?|proposals?|rfc|suggestions?|ideas?|story|user story|epic|wunsch|improvements?|perf|performance|новая функция|melhoria|mejora)(?![a-z])|功能|建议|需求|機能|要望|新機能|기능|개선/i,
  ],
  [
    'chore',
    /(?<![a-z])(?:chore|refactor(?:ing)?|tech(?:nical)?[- ]?debt|maintenance|build|ci|cd|deps|dependenc(?:y|ies)|cleanup|infra(?:structure)?|tests?|testing|tasks?|housekeeping|style|release|spike|research)(?![a-z])|重构|リファクタ|작업/i,
  ],
];
/** A title that begins with one of these describes a chore. */
export const choreWords = phrases`
  (?:bump|upgrade|migrate|refactor(?:ing)?|rename|clean(?:ing)?[- ]?up|extract|split|pin|deprecate|remove|drop|delete|move|replace|switch|port|convert|restructure|reorgani[sz]e|tidy|rewrite|unify|deduplicate|consolidate)
  (?:ci|lint(?:er|ing)?|pipeline|build|dependabot|renovate|tests?|coverage|release|deploy(?:ment)?) ; aufräumen
  umstellen; refaktorier\p{L}*; entfernen; migrieren; nettoyer; migrer; supprimer; limpiar; migrar; eliminar; limpar
  refatorar; remover; рефакторинг; удалить; перенести; 重构; 迁移; 清理; 升级; リファクタ\p{L}*; 移行; 整理; 리팩토링
`;
export const docsWords = phrases`
  docs?; document(?:ation|ing|ed)?; readme(?:\.md)?; changelog; typos?; tutorial; guide; wiki; examples? (?:in|for)
  dokumentation; dokumentieren; tippfehler; documentar; documentación; documentação; documentation
  документаци\p{L}*; опечатк\p{L}*; 文档; 文檔; ドキュメント; 誤字; 문서; 오타
`;
export const questionWords = phrases`
  how (?:do|can|to|does|should|could|would|is); is (?:it|there) (?:possible|a way|any way)
  what (?:is|are|does|do|to); why (?:is|does|do|are|did|would|not); where (?:is|can|do); can (?:i|we|this|it|you)
  does (?:it|this|anyone|anybody); will (?:this|it|there); which; wie (?:kann|muss|geht|mache); warum
  comment (?:faire|puis|peut|utiliser); pourquoi; ¿?cómo; ¿?por qué; como (?:faço|posso|fazer); por que; как; почему
  如何; 怎么; 怎样; 为什么; 请问; どう(?:すれば|やって); なぜ; 방법; 어떻게
`;

/** In one of the first sentences, says that the issue is a question. */
export const saysQuestion = phrases`
  (?:just|this is|i have|i've got|quick|have) an? (?:\p{L}+ )?question; my question is; question:; habe eine frage
  une question; una pregunta; uma (?:dúvida|pergunta); есть вопрос; 请问; 想问; 質問; 질문
`;

/** At the start of a title that names no failure, says what to do: "Store sessions in Redis". */
export const order = phrases`
  store; keep; save; send; show; display; use; hide; persist; return; accept; require; sign; encrypt; compress; let; turn; apply
  treat; read; run; merge; abort; retry
  speichern; anzeigen; verwenden; senden; enregistrer; afficher; utiliser; envoyer; guardar; mostrar; usar; enviar; salvar
  сохранять; показывать; использовать
`;

/** "Report errors of the import": work on a failure is not a failure. */
export const deed = phrases`
  write; emit; report; expose; warn; handle; catch; prevent; avoid; ensure; notify; validate; melden; behandeln; gérer; manejar
  tratar; обрабатывать
`;
