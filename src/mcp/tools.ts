import type { Asker } from './asker.ts';
import type { Tool } from './tool.ts';
import { askHuman } from './tools/ask-human.ts';
import { getAnswer, listQuestions } from './tools/own-questions.ts';
import { permission } from './tools/permission.ts';
import { reportProgress } from './tools/report-progress.ts';

export function mcpTools(asker: Asker): Tool[] {
  return [askHuman(asker), permission(asker), listQuestions(asker), getAnswer(asker), reportProgress(asker)];
}
