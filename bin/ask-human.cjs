'use strict';
// An MCP server with one tool, `ask_human`, for sub-agents, because an agent program does not offer them its own
// question tool. It turns each call into a form (elicitation/create), which the agent program forwards to Fermata
// together with the thread that asks.
const { createInterface } = require('node:readline');

const [, , tool = '{}'] = process.argv;
/** By the id of each form: the call that waits for it. */
const waiting = new Map();
let last = 0;

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = parse(line);
  if (message?.id === undefined) {
    if (message?.method === 'notifications/cancelled') takeBack(message.params?.requestId);
  } else if (message.method === undefined) finish(message);
  else take(message);
});

function take({ id, method, params = {} }) {
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'fermata', version: '1' };
      return reply(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
    }
    case 'tools/list':
      return reply(id, { tools: [JSON.parse(tool)] });
    case 'tools/call':
      return ask(id, params.arguments);
    case 'ping':
      return reply(id, {});
    default:
      return send({ id, error: { code: -32601, message: `This server has no method ${method}.` } });
  }
}

function ask(call, questions) {
  const id = `ask-${++last}`;
  waiting.set(id, call);
  const requestedSchema = {
    type: 'object',
    properties: { answer: { type: 'string' } },
    required: ['answer'],
  };
  send({
    id,
    method: 'elicitation/create',
    params: { message: JSON.stringify(questions ?? {}), requestedSchema },
  });
}

function finish({ id, result, error }) {
  if (!waiting.has(id)) return;
  const answer = result?.content?.answer;
  const text =
    typeof answer === 'string' ? answer : `Nobody could be asked: ${error?.message ?? result?.action}.`;
  reply(waiting.get(id), {
    content: [{ type: 'text', text }],
    ...(typeof answer === 'string' ? {} : { isError: true }),
  });
  waiting.delete(id);
}

/** Called when the agent program cancels a call. */
function takeBack(call) {
  for (const [id, waits] of waiting) {
    if (waits !== call) continue;
    waiting.delete(id);
    send({ method: 'notifications/cancelled', params: { requestId: id } });
  }
}

function reply(id, result) {
  send({ id, result });
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
