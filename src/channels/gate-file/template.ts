import { askerLine } from '../../schema/asker.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { printable } from '../printable.ts';
import { fieldOf } from './field.ts';

/** The file that a person fills in instead of answering elsewhere: what is asked as comments, and a place for each answer. */
export function gateFileText(notification: Notification, schema: string): string {
  const { id, questions } = notification;
  return [
    `# yaml-language-server: $schema=${schema}`,
    `# ${oneLine(askerLine(notification))}`,
    '# Fill in what is below, then set "done: true" in the last line and save.',
    `# Or answer it elsewhere, for example with: fermata answer ${id}`,
    '',
    ...questions.flatMap((question) => [...comment(question), ...place(notification, question), '']),
    '# Nothing is taken from this file before this says true.',
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

function comment({ text, context, options }: Question): string[] {
  const choices = (options ?? []).map(
    ({ label, description }) => `  ${label}${description ? `: ${description}` : ''}`,
  );
  return [text, ...(context ? [context] : []), ...choices]
    .flatMap((part) => printable(part).split('\n'))
    .map((line) => `# ${line}`.trimEnd());
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}
