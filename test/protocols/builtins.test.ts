import { describe, expect, test } from 'vitest';
import { resolveProtocol } from '../../src/index.ts';
import { protocolGraph, renderProtocol } from '../../src/protocols/render.ts';
import { projectWith } from './support.ts';

const folder = () => projectWith({});

describe('the protocols that come with the package (PROT-1)', () => {
  test.each([
    ['implementation', '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15'],
    ['debugging', '1 2 3 4 5 6 6.1 6.2 7 8 9 10 11 12 13 13.1 14 15'],
    ['discovery', '1 2 3 4 5 6'],
    ['bug-discovery', '1 2 3 4 5 6'],
  ])('%s has its steps in order', async (name, keys) => {
    const { steps } = await resolveProtocol(name, { folder: folder() });
    expect(steps.map(({ key }) => key).join(' ')).toBe(keys);
  });

  test('implementation names the commands of each step', async () => {
    const { steps } = await resolveProtocol('implementation', { folder: folder() });
    const commands = steps.map(({ text }) => /`fermata ([a-z]+ [a-z-]+)/.exec(text)?.[1] ?? '-');
    expect(commands).toEqual([
      'plan read-prompt',
      '-',
      'plan start-prompt',
      'git diff-base',
      '-',
      '-',
      '-',
      'plan record-implementation',
      'gemini review',
      'plan record-implementation',
      '-',
      'plan block-prompt-testing-gate',
      'plan block-prompt-variants-gate',
      'git merge-worktree',
      'plan complete-prompt',
    ]);
  });

  test('branches have names that git allows next to the feature branch (VAR-2)', async () => {
    const { steps } = await resolveProtocol('implementation', { folder: folder() });
    expect(steps[1]?.text).toContain('`<FEATURE_BRANCH>--implementation-<PROMPT_NUM>[-<VARIANT>]`');
  });

  test('after failed tests debugging goes back to the fix, by its printed number (PROT-6)', async () => {
    const { steps } = await resolveProtocol('debugging', { folder: folder() });
    const testing = steps.find(({ key }) => key === '12');
    const fix = steps.find(({ key }) => key === '7');
    expect([testing?.number, fix?.number]).toEqual([14, 9]);
    expect(testing?.text).toContain('**Go to step 9** (implement the fix again');
    expect(fix?.text).toMatch(/^Implement the fix/);
  });

  test('debugging puts logs before the fix and clean-up before the merge', async () => {
    const { steps } = await resolveProtocol('debugging', { folder: folder() });
    expect(steps[5]?.text).toMatch(/todo list[\s\S]*\n\* Put the logging tasks first$/);
    expect(steps[6]?.text).toContain(
      '// [DEBUG-TEMP]\nconsole.log("debug output");\nconsole.log("more debug");\n\n//',
    );
    expect(steps[7]?.text).toContain('plan block-debugging-logging-gate');
    expect(steps[15]?.text).toContain('plan cleanup-debug-logs');
    expect(steps[16]?.text).toContain('merge the worktree');
  });
});

describe('printing (PROT-2)', () => {
  test('shows name, description, inputs, outputs, then the steps in sequence', async () => {
    const text = renderProtocol({
      name: 'release',
      description: 'How to release',
      inputs: [
        { name: 'tag', type: 'string', optional: false, description: 'the version' },
        { name: 'dry', type: 'boolean', optional: true, description: '' },
      ],
      outputs: [{ value: '{ ok: true }', description: 'it is out' }],
      steps: [
        { number: 1, key: '1', text: 'Build\n* all of it', from: { file: 'x', line: 1 } },
        { number: 2, key: '4', text: '  Publish', from: { file: 'x', line: 3 } },
      ],
    });
    expect(text).toBe(
      [
        '# release\nHow to release',
        '## Inputs\n- tag: string (required) - the version\n- dry: boolean (optional)',
        '## Outputs\n- { ok: true }\n  it is out',
        '## Steps',
        '1: Build\n* all of it',
        '2:   Publish',
      ].join('\n\n'),
    );
  });

  test('draws a flow chart with arrows for "go back" in a text, and escapes what would end a label', async () => {
    const own = 'steps:\n  1: say "hi" `x`\n  2: from step 1\n  3: then go back to step 1; see step 2\n';
    const graph = protocolGraph(await resolveProtocol('own', { folder: projectWith({ own }) }));
    expect(graph.split('\n')).toEqual([
      'flowchart TD',
      '  s1["1: say #34;hi#34; #96;x#96;"]',
      '  s2["2: from step 1"]',
      '  s3["3: then go back to step 1; see step 2"]',
      '  s1 --> s2',
      '  s2 --> s3',
      '  s3 -.-> s1',
    ]);
  });
});
