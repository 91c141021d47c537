import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An MCP server that asks a person in every call, and returns what it was told. */
const server = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const fields = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const tooMany = Array.from({ length: 101 }, (_, index) => 'choice ' + index);
const wishes = {
  wipe: { message: 'Really delete everything?', requestedSchema: fields({}) },
  login: { mode: 'url', message: 'Log in', url: 'https://example.test/login', elicitationId: 'e-1' },
  label: { message: 'Which label?', requestedSchema: fields({ label: { type: 'string', title: 'Label' } }) },
  pick: { message: 'Pick one', requestedSchema: fields({ choice: { type: 'string', enum: tooMany } }) },
};
const tool = (name) => ({ name, description: name, inputSchema: { type: 'object', properties: {} }, annotations: { readOnlyHint: true } });
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  const tools = Object.keys(wishes).map(tool);
  const hello = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'disk', version: '1' } };
  if (method === 'initialize') send({ id, result: hello });
  else if (method === 'tools/list') send({ id, result: { tools } });
  else if (method === 'tools/call') send({ id: 'of ' + id, method: 'elicitation/create', params: wishes[params.name] });
  else if (method === undefined) send({ id: Number(id.slice(3)), result: { content: [{ type: 'text', text: JSON.stringify(result ?? error) }] } });
});`;

/** Writes the server into a folder, and names the command that starts it. */
export function diskServer(folder: string): { command: string; args: string[] } {
  const file = join(folder, 'disk-server.cjs');
  writeFileSync(file, server);
  return { command: process.execPath, args: [file] };
}
