import { AgentProcess } from '../../../src/agents/process/agent-process.ts';

// Starts an agent that writes a file as soon as its input ends, prints its pid, and waits to be killed.
const agent = new AgentProcess({
  program: process.execPath,
  cwd: process.cwd(),
  env: { PATH: process.env.PATH },
  args: [
    '-e',
    `process.stdin.on('end', () => require('fs').writeFileSync(process.argv[1], 'carried on unattended')).resume();
     console.log(process.pid);
     setInterval(() => {}, 1000)`,
    process.argv[2] ?? '',
  ],
});
agent.stdout.pipe(process.stdout);
