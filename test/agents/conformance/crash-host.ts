import { findDriver } from '../../../src/agents/registry.ts';

/** Starts the given agent, prints its first question, and waits to be killed. */
async function main(words = '{}'): Promise<void> {
  const { name, setup } = JSON.parse(words);
  const driver = await findDriver(name);
  const run = driver.start(setup, 'Plan the project.');
  let sessionId: string | undefined;
  for await (const event of run.events) {
    if (event.kind === 'session') sessionId ??= event.sessionId;
    if (event.kind === 'question') process.stdout.write(`${JSON.stringify({ sessionId, ask: event.ask })}\n`);
  }
  process.stderr.write(`It ended: ${JSON.stringify(await run.ended)}\n`);
}

void main(process.argv[2]);
