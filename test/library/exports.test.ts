import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const namesIn = async (file: string) =>
  Object.keys(await import(pathToFileURL(join(import.meta.dirname, '../../dist', file)).href)).sort();

test('the library exports these functions and nothing else', async () => {
  expect(await namesIn('index.js')).toEqual([
    'FermataError',
    'analyzeIssues',
    'auditPlan',
    'convert',
    'defineDriver',
    'draft',
    'extractOpenQuestions',
    'openContext',
    'openLedger',
    'parsePlan',
    'planFromIssues',
    'printPlan',
    'readAgentStream',
    'resolveProtocol',
    'review',
    'runAgent',
    'runPlan',
    'setStatus',
    'startHub',
  ]);
});

test('the schemas have their own entry point (PIPE-10)', async () => {
  const names = await namesIn('schema.js');
  const needed = [
    'Notification',
    'Question',
    'Event',
    'Run',
    'Task',
    'QAQuestion',
    'QAAnswer',
    'jsonSchemas',
  ];
  expect(names).toEqual(expect.arrayContaining(needed));
});
