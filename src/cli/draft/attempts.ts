import { answersText } from '../../agents/answer-text.ts';
import { resumeRun, startRun } from '../../agents/conduct.ts';
import { type Conducted, type Conducting, isQuestion } from '../../agents/conducting.ts';
import { noUsage, type Usage } from '../../agents/driver.ts';
import { type Attempt, type Attempting, storable } from '../../planning/convert/attempt-plan.ts';
import { previousIssuesSection } from '../../planning/convert/previous-issues.ts';
import { withAssumed } from '../../planning/draft/assumed-questions.ts';
import { slug } from '../../planning/plan-folder.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Run } from '../../schema/run.ts';
import { persist } from '../agents/persist.ts';
import { type DraftData, draftData, isUnwritten } from './draft-run.ts';

/** A draft that stopped without an answer. */
export interface Stopped {
  last: Conducted;
  usage: Usage;
}

/**
 * The attempts of one draft. Each is a run in the ledger that carries what was asked, answered and found wrong before,
 * so that another process can go on at any point: with a run that is not done, or with an answer that nobody has
 * judged yet.
 */
export class DraftAttempts {
  readonly #conducting: Conducting;
  readonly #projectId: string;
  readonly #data: DraftData;
  readonly #prompt: string;
  readonly #judged: Attempt[];
  /** The runs of this draft so far. */
  readonly #runs: string[];
  #earlier: Run | undefined;
  #questions: Notification[] = [];
  #rounds: number;

  constructor(conducting: Conducting, projectId: string, data: DraftData, prompt: string, earlier?: Run) {
    this.#conducting = conducting;
    this.#projectId = projectId;
    this.#data = data;
    this.#prompt = prompt;
    this.#judged = [...(data.attempts ?? [])];
    this.#runs = [...(data.runs ?? [])];
    this.#earlier = earlier;
    this.#rounds = data.rounds ?? 0;
  }

  get earlier(): readonly Attempt[] {
    return [...this.#judged];
  }

  get rounds(): number {
    return this.#rounds;
  }

  /** The run that the answer came from. */
  get run(): string {
    return this.#runs.at(-1) ?? '';
  }

  ask: Attempting<Stopped>['ask'] = async ({ previous }) => {
    const earlier = this.#earlier;
    this.#earlier = undefined;
    if (earlier && isUnwritten(earlier)) return this.#answer(earlier, earlierText(earlier));
    const begun = earlier
      ? resumeRun(this.#conducting, this.#projectId, earlier.id)
      : this.#start(previousIssuesSection(previous));
    const { last, usage } = await persist(this.#conducting, await begun);
    this.#rounds = last.rounds;
    if (last.end.reason !== 'ok') return { stopped: { last, usage } };
    return this.#answer(last.run, { text: last.end.text, usage });
  };

  edit: NonNullable<Attempting<Stopped>['edit']> = (files) =>
    this.#data.adaptive ? files : withAssumed(files, this.#questions);

  judged(attempt: Attempt): void {
    this.#judged.push(storable(attempt));
  }

  async #answer(run: Run, answer: { text: string; usage: Usage }): Promise<{ text: string; usage: Usage }> {
    this.#runs.push(run.id);
    this.#rounds = Number(draftData(run).rounds ?? this.#rounds);
    this.#questions = await this.#asked();
    return answer;
  }

  async #start(previousIssues: string): Promise<Conducted> {
    const answered = (await this.#asked()).filter(({ responses }) => responses.length > 0);
    const prompt = [this.#prompt, ...answered.map(answersText), previousIssues].filter((part) => part !== '');
    const data = { ...this.#data, attempts: this.#judged, runs: this.#runs, rounds: this.#rounds };
    return startRun(this.#conducting, {
      projectId: this.#projectId,
      source: 'plan',
      sourceId: slug(this.#data.idea),
      prompt: prompt.join('\n\n'),
      data,
    });
  }

  async #asked(): Promise<Notification[]> {
    const { runs } = this.#conducting.ledger;
    const asked = await Promise.all(this.#runs.map((id) => runs.questions(this.#projectId, id)));
    return asked.flat().filter(isQuestion);
  }
}

/** What an agent said whose run has ended. */
function earlierText({ end }: Run): { text: string; usage: Usage } {
  return { text: String(end?.text ?? ''), usage: (end?.usage as Usage | undefined) ?? noUsage };
}
