// A made-up agent. It keeps its session in a file, asks for a colour, and repeats what it was told.
const { readFileSync, writeFileSync } = require('node:fs');
const { createInterface } = require('node:readline');

const [, , known] = process.argv;
const session = known ?? `s-${process.pid}`;
const file = `${session}.json`;
const say = (line) => console.log(JSON.stringify(line));

say({ session });
process.stderr.write('a warning that is no line of its protocol\n');
console.log('neither is this');
createInterface({ input: process.stdin }).once('line', (line) => {
  const { prompt, answer } = JSON.parse(line);
  if (prompt !== undefined) {
    writeFileSync(file, JSON.stringify({ prompt }));
    say({ says: 'Let me think.' });
    say({ ask: 'Which colour?' });
    setInterval(() => undefined, 1000); // waits for an answer that this process never gets
    return;
  }
  const said = JSON.parse(readFileSync(file, 'utf8')).prompt;
  say({ done: `${said} ${answer.trim().split('\n').at(-1)}` });
});
