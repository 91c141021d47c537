/** Mutants without an observable effect, each with the reason. One that no longer exists is reported. */
const known = [
  {
    mutant:
      'src/ledger/notifications/responses.ts condition: only the right side of &&: sameAnswer(stored.answer, given.answer)',
    why: 'what has no answer is never the same as an answer',
  },
  {
    mutant:
      'src/ledger/notifications/notification-machine.ts compare-and-set: guard dropped: if (isFinal(current.status))',
    why: 'a settled notification that can be answered has a response to each question',
  },
  {
    mutant: 'src/ledger/engine/group-commit.ts transaction: jobs.length > 1: > → >=',
    why: 'a savepoint around a job that is alone costs time only',
  },
  {
    mutant: 'src/ledger/engine/group-commit.ts transaction: events.length > 0: > → >=',
    why: 'no events more: the counter is written as it was',
  },
  {
    mutant: 'src/ledger/engine/group-commit.ts transaction: guard dropped: if (!apart)',
    why: 'a savepoint around a job that is alone costs time only',
  },
  {
    mutant:
      "src/ledger/engine/group-commit.ts transaction: left out: await transaction.sql('release savepoint job');",
    why: 'a savepoint that is not released ends with its transaction, and hides the one before it until then',
  },
];

const nameOf = ({ file, kind, what }) => `${file} ${kind}: ${what}`;

/** @returns {string | undefined} why nobody can notice it */
export function whyEquivalent(mutant) {
  return known.find((entry) => entry.mutant === nameOf(mutant))?.why;
}

/** Entries whose mutant is gone. */
export function outdated(mutants) {
  return known
    .map((entry) => entry.mutant)
    .filter((name) => !mutants.some((mutant) => nameOf(mutant) === name));
}
