import { askerLine } from '../../schema/asker.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { verbatimText } from '../../schema/verbatim.ts';
import { visible } from '../../schema/visible.ts';
import { fieldOf } from './field.ts';

/** The file that a person fills in instead of answering elsewhere: the questions as comments, and a place for each answer. */
export function gateFileText(notification: Notification, schema: string): string {
  const { id, questions } = notification;
  return [
    `# yaml-language-server: $schema=${schema}`,
    `# ${oneLine(askerLine(notification))}`,
    '# Fill in the answers below, then set "done: true" on the last line and save.',
    `# Or answer it elsewhere, for example with: ${cmd`answer ${id}`}`,
    '',
    ...questions.flatMap((question) => [...comment(question), ...place(notification, question), '']),
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

function comment({ text, context, verbatim = [], options }: Question): string[] {
  const choices = (options ?? []).map(
    ({ label, description }) => `  ${label}${description ? `: ${description}` : ''}`,
  );
  return [text, ...(context ? [context] : []), ...verbatim.map(verbatimText), ...choices]
    .flatMap((part) => visible(part).split('\n'))
    .map((line) => `# ${line}`.trimEnd());
}

function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}
