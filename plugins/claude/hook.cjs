// Passes an event of Claude Code to Fermata. Without Fermata it does nothing, and the dialog at the desk works as ever.
const fs = require('node:fs');
const path = require('node:path');

const { env } = process;
// The agents of a Fermata run ask through their run, and a session without a person would wait for ever.
const isOurs = env.FERMATA_RUN || env.FERMATA_DOOR;
const isHeadless = env.CLAUDE_CODE_ENTRYPOINT !== 'cli' && env.FERMATA_HEADLESS !== 'ask';
const program = isOurs || isHeadless ? undefined : findProgram();

if (program) {
  process.argv.splice(1, process.argv.length, program, 'hook', 'claude');
  require(program);
}

/** The installation that this plugin belongs to, or the one on the PATH if the plugin was copied. */
function findProgram() {
  const own = path.join(__dirname, '../../bin/fermata.cjs');
  if (fs.existsSync(own)) return own;
  for (const folder of (env.PATH || '').split(path.delimiter)) {
    const file = path.join(folder, 'fermata');
    if (path.isAbsolute(folder) && fs.existsSync(file)) return fs.realpathSync(file);
  }
  return undefined;
}
