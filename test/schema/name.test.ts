import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { TokenInput } from '../../src/schema/credential.ts';
import { RunInput } from '../../src/schema/run.ts';
import { Claim } from '../../src/schema/task.ts';
import { WorkerInput } from '../../src/schema/work.ts';

const places: [string, z.ZodType][] = [
  ['token', TokenInput.shape.name],
  ['worker that claims a task', Claim.shape.worker],
  ['worker', WorkerInput.shape.name],
  ["worker's machine", WorkerInput.shape.host],
  ['agent of a run', RunInput.shape.agent],
];

describe.each(places)('the name of a %s (BIND-11)', (_, name) => {
  test.each(['a\u001b[2Jb', 'a\nb', 'a\u009bb', 'a\u202eb', 'a\u200bb', 'a\u2028b', '\u0007', ' '])(
    '%j is refused, because people read it in lists',
    (text) => {
      expect(name.safeParse(text).success).toBe(false);
    },
  );

  test.each(['claude', 'Zoë 2', 'می\u200cخواهم', '漢字'])('%j is accepted', (text) => {
    expect(name.safeParse(text).success).toBe(true);
  });
});
