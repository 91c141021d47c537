import { ScenarioBuilder } from './builder.ts';

/** Asks two questions, and writes the progress file once it is resumed with the answers. */
export function interactivePlanning(): ScenarioBuilder {
  return new ScenarioBuilder()
    .behavesLike('seed')
    .withSessionId('test-session-123')
    .asksQuestions(['What programming language?', 'What database?'])
    .nextInvocation()
    .withSessionId('test-session-123')
    .respondsWithText(
      '# Progress: Interactive Test\n\n## Status\n\nIn Progress\n\n## Tasks\n\n### Phase 1: Setup\n\n- [ ] Configure project\n\n## Testing Strategy\n\nBasic tests.\n',
    );
}

/** Two rounds of questions, then the progress file. */
export function multiRoundQa(): ScenarioBuilder {
  return new ScenarioBuilder()
    .behavesLike('seed')
    .withSessionId('multi-session-456')
    .asksQuestions(['Question round 1?'])
    .nextInvocation()
    .withSessionId('multi-session-456')
    .asksQuestions(['Question round 2?'])
    .nextInvocation()
    .withSessionId('multi-session-456')
    .respondsWithText(
      '# Progress: Multi-Round Test\n\n## Status\n\nRALPH_DONE\n\n## Tasks\n\n### Phase 1: Done\n\n- [x] Task complete\n',
    );
}

/** Plans and builds a small calculator without asking anything. */
export function calculator(): ScenarioBuilder {
  return new ScenarioBuilder()
    .behavesLike('seed')
    .withSessionId('calculator-session-789')
    .respondsWithText(
      '# Progress: Calculator\n\n## Status\n\nIn Progress\n\n## Tasks\n\n### Phase 1: Calculator\n\n- [ ] Add numbers\n- [ ] Test it\n\n## Testing Strategy\n\nRun the program.\n',
    )
    .nextInvocation()
    .withSessionId('calculator-session-789')
    .writesFile('calculator.js', 'exports.add = (a, b) => a + b;\n')
    .runs(`node -e "console.log(require('./calculator.js').add(2, 3))"`)
    .respondsWithText(
      '# Progress: Calculator\n\n## Status\n\nRALPH_DONE\n\n## Tasks\n\n### Phase 1: Calculator\n\n- [x] Add numbers\n- [x] Test it\n\n## Testing Strategy\n\nRun the program.\n',
    );
}
