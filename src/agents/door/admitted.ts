import type { AgentSetup } from '../driver.ts';
import { sandboxFor } from '../sandbox/sandbox.ts';
import type { PassClaims } from './door.ts';

/** Runs an agent with its own pass, which becomes invalid when the agent ends. */
export async function admitted<T>(
  setup: AgentSetup,
  claims: PassClaims,
  play: (own: AgentSetup) => Promise<T>,
): Promise<T> {
  if (!setup.door) return play(setup);
  const path = setup.identity?.PATH ?? setup.env.PATH;
  const pass = await setup.door.admit(claims, path);
  try {
    const { env, cwd, identity = {} } = setup;
    const shown = [pass.folder, ...(identity.FERMATA_TASK_DIR ? [identity.FERMATA_TASK_DIR] : [])];
    const sandbox = sandboxFor(env, cwd, { shown, commits: claims.task !== undefined });
    return await play({ ...setup, sandbox, identity: { ...identity, ...pass.env } });
  } finally {
    await pass.revoke();
  }
}
