import { describe, expect, it } from 'vitest';
import { offersOf } from '../../../src/agents/claude/permissions.ts';
import { consentAsked, consentResult } from '../../../src/agents/questions/forms.ts';
import { permissionQuestion } from '../../../src/agents/questions/permission-question.ts';
import { startRun } from '../../../src/agents/run/conduct.ts';
import { puppetDriver } from '../support/puppet.ts';
import { openStage } from '../support/stage.ts';

describe('HEAR-7 an approval shows what is approved', () => {
  it('an edit is shown as a diff, with everything else that the call has', () => {
    const edit = { file_path: 'a.ts', old_string: 'one\n\ntwo', new_string: 'one\n\n2', replace_all: true };
    expect(permissionQuestion({ tool: 'Edit', input: edit }).verbatim).toEqual([
      { label: 'file_path', text: 'a.ts' },
      { label: 'diff', text: ' one\n\n-two\n+2' },
      { label: 'other input (JSON)', text: '{\n  "replace_all": true\n}' },
    ]);
  });

  it('several edits are several diffs; one with more in it than a diff can say is shown as it is', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: '', replace_all: true },
    ];
    expect(permissionQuestion({ tool: 'MultiEdit', input: { file_path: 'a.ts', edits } }).verbatim).toEqual([
      { label: 'file_path', text: 'a.ts' },
      { label: 'diff 1 of 2', text: '-a\n+b' },
      { label: 'diff 2 of 2, everywhere', text: '-c\n+' },
    ]);
    const odd = [{ ...edits[0], mode: 'append' }];
    const shown = permissionQuestion({ tool: 'MultiEdit', input: { edits: odd } }).verbatim;
    expect(shown?.[0]?.text).toContain('append');
  });

  it('a plan is shown as a plan, with the reason for asking last', () => {
    const asked = permissionQuestion({ tool: 'ExitPlanMode', input: { plan: '1. Move' }, reason: 'a hook' });
    expect(asked).toEqual({
      text: 'May the agent carry out this plan?',
      verbatim: [
        { label: 'plan', text: '1. Move' },
        { label: 'reason', text: 'a hook' },
      ],
    });
  });

  it('an elicitation without fields and one by address need a yes; a form does not', () => {
    const bare = {
      mode: 'form',
      message: 'Delete all?',
      requested_schema: { type: 'object', properties: {} },
    };
    expect(consentAsked({ ...bare, mcp_server_name: 'disk' })).toEqual({
      tool: 'elicitation',
      input: { message: 'Delete all?', server: 'disk' },
    });
    const url = { mode: 'url', message: 'Log in', url: 'https://example.test/x', serverName: 'web' };
    expect(consentAsked(url)?.input).toEqual({
      message: 'Log in',
      address: 'https://example.test/x',
      server: 'web',
    });
    expect(consentResult(bare, true)).toEqual({ action: 'accept', content: {} });
    expect(consentResult(url, true)).toEqual({ action: 'accept' });
    expect(consentResult(url, false)).toEqual({ action: 'decline' });
    const field = { type: 'object', properties: { name: { type: 'string' } } };
    expect(consentAsked({ message: 'Who?', requestedSchema: field })).toBeUndefined();
  });
});

describe('HEAR-8 suggestions of the agent program', () => {
  const rule = (ruleContent?: string, toolName = 'Bash') => ({
    type: 'addRules',
    rules: [{ toolName, ...(ruleContent === undefined ? {} : { ruleContent }) }],
    behavior: 'allow',
    destination: 'localSettings',
  });
  const effects = (...permission_suggestions: object[]) =>
    offersOf({ permission_suggestions }).map(({ effect }) => effect);

  it('rules and folders are described in words', () => {
    const folders = { type: 'addDirectories', directories: ['/tmp'], destination: 'session' };
    expect(effects(rule('npm test *'), rule('docs/**', 'Edit'), rule(undefined, 'WebFetch'))).toEqual([
      'allow `npm test *` for this session',
      'allow `Edit(docs/**)` for this session',
      'allow every use of `WebFetch` for this session',
    ]);
    expect(effects(folders)).toEqual(['let it work in `/tmp` for this session']);
  });

  it('a mode, a refusal, and anything too long to read are not offered', () => {
    expect(effects({ type: 'setMode', mode: 'acceptEdits', destination: 'session' })).toEqual([]);
    expect(effects({ ...rule('rm *'), behavior: 'deny' })).toEqual([]);
    expect(effects(rule('x'.repeat(300)), rule('a\nb'))).toEqual([]);
  });
});

it('HEAR-8 a taken suggestion and a note reach the agent; nobody is asked twice', async () => {
  const stage = await openStage();
  const suggestions = [{ id: '0', effect: 'allow `npm test *` for this session' }];
  const { driver, runs } = puppetDriver([
    (self) => {
      const ask = {
        id: 'p',
        tool: 'Bash',
        input: { command: 'npm test' },
        reason: 'It is new.',
        suggestions,
      };
      self.events.push({ kind: 'permission', ...ask });
      const endWhenAnswered = () =>
        self.permits.length > 0 ? self.end('ok', 'done') : setTimeout(endWhenAnswered, 5);
      endWhenAnswered();
    },
  ]);
  const setup = { cwd: '/', env: {}, mustAsk: true };
  const wanted = {
    projectId: stage.projectId,
    source: 'plan' as const,
    sourceId: 'x',
    prompt: 'Plan.',
    work: { for: 'agent' as const },
  };
  const running = startRun({ ledger: stage.ledger, driver, setup }, wanted);
  const { id, questions } = await stage.asked();
  expect(questions[0]?.verbatim?.at(-1)).toEqual({ label: 'reason', text: 'It is new.' });
  const labels = questions[0]?.options?.map(({ label }) => label);
  const wider = 'Approve, and allow `npm test *` for this session';
  expect(labels).toEqual(['Approve', 'Reject', wider]);
  const responses = [{ questionId: questions[0]?.id ?? '', answer: wider, note: 'Only today.' }];
  const by = { actor: { kind: 'person' as const, name: 'Ada' }, channel: 'terminal' as const };
  await stage.ledger.notifications.resolve(stage.projectId, id, { responses }, by);
  expect((await running).end.reason).toBe('ok');
  expect(runs[0]?.permits).toEqual([['p', true, 'Only today.']]);
  expect(runs[0]?.remarks).toEqual([{ note: 'Only today.', suggestion: '0' }]);
});
