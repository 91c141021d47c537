import * as z from 'zod';
import { HilConfig } from './autonomy.ts';
import { CoderResult } from './coder-result.ts';
import { Config } from './config.ts';
import { Decision } from './decision.ts';
import { ErrorBody } from './error-body.ts';
import { Event } from './event.ts';
import { gateFiles } from './gate-file.ts';
import { CreateInput, Notification, ResolveInput } from './notification.ts';
import { PersonalConfig } from './personal-config.ts';
import { Project } from './project.ts';
import { ProtocolFile } from './protocol-file.ts';
import { QAAnswer, QAQuestion } from './qa.ts';
import { Question } from './question.ts';
import { Run } from './run.ts';
import { ChatMessage, Task, TaskInput } from './task.ts';
import { Feedback } from './work.ts';
import { Worktree } from './worktree.ts';

const published = {
  config: Config,
  'personal-config': PersonalConfig,
  question: Question,
  notification: Notification,
  'notification-create': CreateInput,
  'notification-resolve': ResolveInput,
  task: Task,
  'task-create': TaskInput,
  'chat-message': ChatMessage,
  'coder-result': CoderResult,
  feedback: Feedback,
  event: Event,
  decision: Decision,
  project: Project,
  'qa-question': QAQuestion,
  'qa-answer': QAAnswer,
  protocol: ProtocolFile,
  run: Run,
  worktree: Worktree,
  'hil-config': HilConfig,
  error: ErrorBody,
  ...Object.fromEntries(Object.entries(gateFiles).map(([kind, file]) => [`gate-file-${kind}`, file])),
};

/** The JSON Schemas that ship with the package, by file name. */
export function jsonSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(published).map(([name, schema]) => [name, z.toJSONSchema(schema, { io: 'input' })]),
  );
}
