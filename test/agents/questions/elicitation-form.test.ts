import { describe, expect, it } from 'vitest';
import { elicitationForm } from '../../../src/agents/questions/forms.ts';
import type { Notification, Response } from '../../../src/schema/notification.ts';

const asked = (properties: object, message = 'Please') => ({
  mcp_server_name: 'disk',
  mode: 'form',
  message,
  requested_schema: { type: 'object', properties },
});
const settled = (...responses: object[]) =>
  ({ questions: [], responses: responses as Response[] }) as unknown as Notification;

describe('the form of an MCP server', () => {
  it('HEAR-2 says which server asks', () => {
    const { questions } = elicitationForm(asked({ name: { type: 'string', title: 'Name' } }));
    expect(questions).toMatchObject([
      { id: 'name', context: expect.stringMatching(/^Asked by an MCP server: disk/) },
    ]);
  });

  it.each([
    ['a field of a kind that is unknown', asked({ file: { type: 'object' } })],
    ['more choices than fit', asked({ one: { enum: Array.from({ length: 101 }, (_, at) => `${at}`) } })],
    [
      'more fields than fit',
      asked(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, {}]))),
    ],
    ['a message that is too long', asked({ a: {}, b: {} }, 'x'.repeat(300_000))],
    ['a mode that is unknown', { ...asked({ a: {} }), mode: 'camera' }],
    ['no form at all', 'nonsense'],
  ])('HEAR-7 with %s is shown as it came, and can only be declined', (_, request) => {
    const { questions, reply } = elicitationForm(request);
    expect(questions).toMatchObject([{ text: expect.stringContaining('cannot show'), options: ['Decline'] }]);
    const [{ verbatim }] = questions as [{ verbatim: { label: string; text: string }[] }];
    const shown = verbatim.find(({ label }) => label.endsWith('form (JSON)'))?.text ?? '';
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.length).toBeLessThanOrEqual(64 * 1024);
    const response = { kind: 'answered', questionId: 'form', answer: 'Accept' };
    expect(reply(settled(response))).toEqual({ result: { action: 'decline' } });
    expect(reply(settled())).toEqual({ result: { action: 'cancel' } });
  });
});
