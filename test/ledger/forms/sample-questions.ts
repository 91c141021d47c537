import type { Question } from '../../../src/schema/question.ts';
import { AT } from './arbitrary-questions.ts';

export const store: Question = {
  id: 'store',
  text: 'Which database should we use?',
  createdAt: AT,
  header: 'Database',
  options: [
    {
      id: 'pg',
      label: 'PostgreSQL',
      description: 'Pro: many writers. Con: a server.',
      preview: 'create table …',
    },
    { label: 'SQLite' },
  ],
  recommended: 'SQLite',
  context: 'Two processes write.',
  category: 'architecture',
};
export const parts: Question = {
  id: 'parts',
  text: 'Which parts?',
  createdAt: AT,
  options: [{ label: 'Logs' }, { label: 'Traces' }],
  multi: true,
  recommended: ['Logs', 'Costs'],
};
export const name: Question = { id: 'name', text: 'What is it called?', createdAt: AT, header: 'Name' };
