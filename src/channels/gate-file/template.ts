import { cmd } from '../../schema/command-line.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { verbatimCaption, verbatimText } from '../../schema/verbatim.ts';
import { visible } from '../../schema/visible.ts';
import { type QuestionView, questionView, viewOf } from '../../text/question-view.ts';
import { fieldOf } from './read.ts';

/** The file that a person fills in instead of answering elsewhere: the questions as comments, and a place for each answer. */
export function gateFileText(notification: Notification, schema: string): string {
  const { id } = notification;
  const { asker, proposal } = viewOf(notification);
  return [
    `# yaml-language-server: $schema=${schema}`,
    `# ${oneLine(asker)}`,
    ...(proposal === undefined ? [] : [`# ${oneLine(proposal)}`]),
    '# Fill in the answers below, then set "done: true" on the last line and save.',
    `# Or answer it elsewhere, for example with: ${cmd`answer ${id}`}`,
    '',
    ...notification.questions.flatMap((question) => [
      ...comment(questionView(notification, question)),
      ...place(notification, question),
      '',
    ]),
    '# Fermata reads nothing from this file until this says true.',
    'done: false',
    '',
  ].join('\n');
}

function place(notification: Notification, question: Question): string[] {
  const key = question.id;
  switch (fieldOf(notification, question)) {
    case 'verdict':
      return [`${key}: true`];
    case 'variant':
      return [`${key}:`, '  decision:', '  reason: ""'];
    case 'approach':
      return [`${key}:`, '  changes: |', '', '  rejected: false'];
    case 'text':
      return [`${key}: |`, ''];
    case 'answer':
      return [`${key}:`];
  }
}

function comment(view: QuestionView): string[] {
  const { header, text, context, verbatim, material, options, earlier, silence } = view;
  const choices = options.map(
    ({ label, description, mark }) =>
      `  ${label}${mark ? ` (${mark})` : ''}${description ? `: ${description}` : ''}`,
  );
  const toLookAt = material.map((piece) => `To look at: ${verbatimCaption(piece)}`);
  return [header, text, context, ...verbatim.map(verbatimText), ...toLookAt, ...choices, earlier, silence]
    .flatMap((part) => (part ? visible(part).split('\n') : []))
    .map((line) => `# ${line}`.trimEnd());
}

function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}
