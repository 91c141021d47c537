import { defineDriver } from 'fermata-cli';

/** A driver for the made-up agent in parrot.cjs: JSON lines, a session in a file, a question in the middle. */
export const parrotDriver = (parrot: string) =>
  defineDriver({
    name: 'parrot',
    program: process.execPath,
    start: (prompt) => ({ args: [parrot], input: [JSON.stringify({ prompt })] }),
    resume: (sessionId, { text }) => ({
      args: [parrot, sessionId],
      input: [JSON.stringify({ answer: text })],
    }),
    read(line) {
      const said = JSON.parse(line) as { session?: string; ask?: string; says?: string; done?: string };
      if (said.session !== undefined) return [{ kind: 'session', sessionId: said.session }];
      if (said.ask !== undefined)
        return [{ kind: 'question', ask: { id: 'colour', questions: [{ id: 'colour', text: said.ask }] } }];
      if (said.says !== undefined) return [{ kind: 'text', text: said.says }];
      return said.done === undefined ? [] : [{ kind: 'done', text: said.done }];
    },
    answer: (_, { text }) => JSON.stringify({ answer: text }),
  });
