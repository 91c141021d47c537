// Sends an agent's command through the door of its run and prints the response. The command runs at the other end,
// where the ledger is: see src/agents/door. Requires only Node's own modules, so that it starts as fast as Node.
const net = require('node:net');

const [, , ...words] = process.argv;
const { FERMATA_DOOR: address, FERMATA_PASS: token = '' } = process.env;
const HEAD = 5;
const MOST_PIECE = 64 * 1024;

if (address === 'none') {
  fail('This agent has no access to the ledger. Work without fermata.');
} else {
  visit(net.connect(placeOf(address)));
}

function placeOf(door) {
  if (door.startsWith('unix:')) return { path: door.slice('unix:'.length) };
  const [, host, port] = /^tcp:(.*):(\d+)$/.exec(door) ?? [];
  return port ? { host, port: Number(port) } : { path: door };
}

function visit(socket) {
  let exitCode;
  socket.on('error', () => fail('The run that started you has ended. Stop working.'));
  socket.once('connect', () => {
    send(socket, 'h', JSON.stringify({ token, words, cwd: currentFolder() }));
    passSignals(socket);
    if (readsInput()) passInput(socket);
    else send(socket, 'e');
  });
  const read = frameReader((kind, content) => {
    if (kind === 'x') exitCode = Number(content.toString());
    else print(kind === 'o' ? process.stdout : process.stderr, content, socket);
  });
  socket.on('data', read);
  socket.once('close', (hadError) => {
    if (hadError) return;
    if (exitCode === undefined) fail('The run ended before this command finished.');
    else process.exitCode = exitCode;
    process.stdin.destroy();
  });
}

/** A command that does not read stdin must not consume the stdin of the script that calls it. */
function readsInput() {
  return words[0] === 'mcp' || words.includes('-');
}

function passInput(socket) {
  process.stdin.on('data', (chunk) => {
    for (let at = 0; at < chunk.length; at += MOST_PIECE) {
      if (send(socket, 'i', chunk.subarray(at, at + MOST_PIECE))) continue;
      process.stdin.pause();
      socket.once('drain', () => process.stdin.resume());
    }
  });
  process.stdin.on('end', () => send(socket, 'e'));
  process.stdin.on('error', () => send(socket, 'e'));
}

function passSignals(socket) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => send(socket, 's', signal));
}

function print(stream, content, socket) {
  if (stream.write(content)) return;
  socket.pause();
  stream.once('drain', () => socket.resume());
}
process.stdout.on('error', () => process.exit(0)); // nobody reads the output any more, as in "fermata … | head"

function send(socket, kind, content = '') {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(HEAD);
  head.write(kind, 0, 'latin1');
  head.writeUInt32BE(bytes.length, 1);
  return !socket.destroyed && socket.write(Buffer.concat([head, bytes]));
}

function frameReader(take) {
  let held = Buffer.alloc(0);
  return (piece) => {
    held = Buffer.concat([held, piece]);
    while (held.length >= HEAD) {
      const end = HEAD + held.readUInt32BE(1);
      if (held.length < end) return;
      take(held.toString('latin1', 0, 1), held.subarray(HEAD, end));
      held = held.subarray(end);
    }
  };
}

function currentFolder() {
  try {
    return process.cwd();
  } catch {
    return ''; // the folder was removed
  }
}

function fail(sentence) {
  process.stderr.write(`fermata: ${sentence}\n`);
  process.exitCode = 1;
}
