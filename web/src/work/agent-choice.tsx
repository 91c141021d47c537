import { fixedAgentNames } from '../../../src/schema/agent-name.ts';
import { kept } from '../state/kept.ts';

const chosen = kept<string>('agent');

/** The agent that the person chose in this tab; empty: the default. */
export const chosenAgent = () => chosen.value.agent ?? '';

export function AgentChoice() {
  return (
    <label class="agent-choice">
      <span>Agent</span>
      <select
        value={chosenAgent()}
        onChange={(event) => {
          chosen.value = { agent: event.currentTarget.value };
        }}
      >
        <option value="">default</option>
        {fixedAgentNames.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
