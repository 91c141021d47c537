import type { Evidence } from './evidence.ts';
import type { IssueText } from './issue-text.ts';
import type { Sentence } from './text/sentences.ts';
import { unbounded } from './words/bounds.ts';
import { failure } from './words/fault.ts';
import { whichTechnology } from './words/open.ts';
import { phrases } from './words/phrases.ts';
import { wish } from './words/wish.ts';

export type IssueKind = 'bug' | 'feature' | 'chore' | 'docs' | 'question';

/** In labels, in `[…]` and `…:` in front of a title. */
const marks: [IssueKind, RegExp][] = [
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
const choreWords = phrases`
  (?:bump|upgrade|migrate|refactor(?:ing)?|rename|clean(?:ing)?[- ]?up|extract|split|pin|deprecate|remove|drop|delete|move|replace|switch|port|convert|restructure|reorgani[sz]e|tidy|rewrite|unify|deduplicate|consolidate)
  (?:ci|lint(?:er|ing)?|pipeline|build|dependabot|renovate|tests?|coverage|release|deploy(?:ment)?) ; aufräumen
  umstellen; refaktorier\p{L}*; entfernen; migrieren; nettoyer; migrer; supprimer; limpiar; migrar; eliminar; limpar
  refatorar; remover; рефакторинг; удалить; перенести; 重构; 迁移; 清理; 升级; リファクタ\p{L}*; 移行; 整理; 리팩토링
`;
const docsWords = phrases`
  docs?; document(?:ation|ing|ed)?; readme(?:\.md)?; changelog; typos?; tutorial; guide; wiki; examples? (?:in|for)
  dokumentation; dokumentieren; tippfehler; documentar; documentación; documentação; documentation
  документаци\p{L}*; опечатк\p{L}*; 文档; 文檔; ドキュメント; 誤字; 문서; 오타
`;
const questionWords = phrases`
  how (?:do|can|to|does|should|could|would|is); is (?:it|there) (?:possible|a way|any way)
  what (?:is|are|does|do|to); why (?:is|does|do|are|did|would|not); where (?:is|can|do); can (?:i|we|this|it|you)
  does (?:it|this|anyone|anybody); will (?:this|it|there); which; wie (?:kann|muss|geht|mache); warum
  comment (?:faire|puis|peut|utiliser); pourquoi; ¿?cómo; ¿?por qué; como (?:faço|posso|fazer); por que; как; почему
  如何; 怎么; 怎样; 为什么; 请问; どう(?:すれば|やって); なぜ; 방법; 어떻게
`;

const saysQuestion = phrases`
  (?:just|this is|i have|i've got|quick|have) an? (?:\p{L}+ )?question; my question is; question:; habe eine frage
  une question; una pregunta; uma (?:dúvida|pergunta); есть вопрос; 请问; 想问; 質問; 질문
`;

/** Tells the kind by labels and tags first, then by structure, then by wording; the title weighs more than the text. */
export function kindOf(text: IssueText, evidence: Evidence[]): IssueKind {
  const score: Record<IssueKind, number> = { bug: 0, feature: 0, chore: 0, docs: 0, question: 0 };
  for (const label of text.issue.labels) mark(label, 3, score);
  if (text.tag !== '') mark(text.tag, 3.5, score);
  addStructure(text, evidence, score);
  addWording(text, score);
  const best = Math.max(...Object.values(score));
  return order.find((kind) => score[kind] === best && best > 0) ?? 'feature';
}

/** Where two kinds are as likely, the one further in front. */
const order: IssueKind[] = ['docs', 'bug', 'feature', 'chore', 'question'];

function mark(words: string, weight: number, score: Record<IssueKind, number>): void {
  const found = marks.find(([, pattern]) => pattern.test(words));
  if (found) score[found[0]] += weight;
}

function addStructure({ body }: IssueText, evidence: Evidence[], score: Record<IssueKind, number>): void {
  const has = (kind: Evidence['kind']) =>
    evidence.some((each) => each.kind === kind && each.in === 'body' && each.weight >= 0.5);
  const topics = new Set(body.document.sections.map(({ topic }) => topic));
  if (topics.has('reproduction')) score.bug += 2;
  if (topics.has('expected') && topics.has('actual')) score.bug += 2;
  if (has('stack_trace')) score.bug += 2.5;
  if (has('error')) score.bug += 1;
  if (has('story') || has('scenario')) score.feature += 2;
  if (topics.has('solution') && !topics.has('reproduction')) score.feature += 2;
  if (topics.has('alternatives')) score.feature += 1;
  if (has('criteria') && !topics.has('reproduction')) score.feature += 1;
}

/** "Report errors of the import": what is to be done about a failure is no failure. */
const deed = phrases`
  write; emit; report; expose; warn; handle; catch; prevent; avoid; ensure; notify; validate; melden; behandeln; gérer; manejar
  tratar; обрабатывать
`;
const wanting = new Set(['criteria', 'validation', 'solution', 'expected']);

/** "Improve the error messages" asks for better words; nothing fails. */
function aboutErrors(title: string): string {
  return unbounded.test(title) || wish.test(title)
    ? title.replace(
        /(?<![\p{L}])errors?[ -](?:messages?|handling|pages?|reporting|codes?|states?|texts?)/giu,
        '',
      )
    : title;
}

function addWording({ titleText, body }: IssueText, score: Record<IssueKind, number>): void {
  const first = body.sentences
    .slice(0, 6)
    .map((sentence) => sentence.text)
    .join(' \n ');
  const begins = (pattern: RegExp) => (pattern.exec(titleText)?.index ?? 99) <= 2;
  if (begins(choreWords)) score.chore += 2.5;
  if (whichTechnology.test(titleText)) score.feature += 1.5;
  if (wish.test(titleText)) score.feature += begins(wish) ? 2 : 1;
  if (begins(deed)) score.feature += 2;
  else if (failure.test(aboutErrors(titleText))) score.bug += 2;
  if (docsWords.test(titleText)) score.docs += begins(docsWords) ? 3.5 : 3;
  // "Could you add …?" is a wish in the words of a question.
  const wanted = wish.test(titleText) || unbounded.test(titleText);
  if (begins(questionWords) && !wanted) score.question += 1.5;
  if (/[?？]\s*$/.test(titleText) && !wanted) score.question += 1;
  // "Should it return an error?" reports none; nor does "a broken file is refused" under what is wanted.
  const reports = ({ text, piece }: Sentence) =>
    failure.test(text) && !/[?？]\s*$/.test(text) && !wanting.has(piece.topic ?? '') && !piece.box;
  if (body.sentences.slice(0, 6).some(reports)) score.bug += 1;
  if (wish.test(first)) score.feature += 1;
  if (saysQuestion.test(first)) score.question += 2;
  const asked = body.sentences.filter(({ text }) => /[?？]\s*$/.test(text)).length;
  if (asked > 0 && asked > body.sentences.length / 2 && !wanted && !wish.test(first)) score.question += 1.5;
  if (/[?？]\s*$/.test(body.sentences.at(-1)?.text ?? '') && questionWords.test(first)) score.question += 0.5;
}
