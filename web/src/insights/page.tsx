import type { AutonomyProposal, Insights, InsightWeek } from '../../../src/schema/insights.ts';
import type { NotificationKind } from '../../../src/schema/notification.ts';
import { askedBy, proposalWords, shareWords } from '../../../src/text/insight-words.ts';
import { hub } from '../api/hub.ts';
import { currentProject } from '../state/current-project.ts';
import { useAction } from '../state/use-action.ts';
import { useLive } from '../state/use-live.ts';
import { duration } from '../text/words.ts';
import { Empty } from '../ui/empty.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { NoProject } from '../ui/no-project.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Chart } from './chart.tsx';

/** What questions cost in the last 30 days, and what to change. */
export function InsightsPage() {
  const project = currentProject.value;
  const insights = useLive(project?.id, 'insights', hub.insights, [
    'notification.added',
    'notification.resolved',
    'settings.updated',
  ]);
  return (
    <main class="page insights" id="main">
      <PageHead title="Insights" page="insights" />
      {!project && <NoProject />}
      <LoadedView value={insights.value}>
        {(found) =>
          found.total.asked === 0 ? (
            <Empty title="No questions in the last 30 days">
              <p>Once agents ask, this page shows what their questions cost.</p>
            </Empty>
          ) : (
            <>
              <Totals insights={found} />
              {found.proposals.map((proposal) => (
                <Proposal key={`${proposal.setting} ${proposal.because}`} proposal={proposal} />
              ))}
              <Charts weeks={found.weeks} />
              <Askers insights={found} />
            </>
          )
        }
      </LoadedView>
    </main>
  );
}

const seconds = (count: number) => duration(count * 1000);

function Totals({ insights: { total, recommendations, assumptions, repeats } }: { insights: Insights }) {
  const rows: [string, string | number][] = [
    ['Asked in 30 days', total.asked],
    ['Still open', total.open],
    ['Half answered within', total.answered === 0 ? '–' : seconds(total.medianSeconds)],
    ['Agents idle', seconds(total.idleSeconds)],
    ['Recommendations taken', shareWords(recommendations)],
    ['Assumptions corrected', shareWords(assumptions)],
    ['Repeats answered for you', repeats.answered],
    ['Repeats asked with your answer', repeats.offered],
  ];
  return (
    <dl class="totals">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Proposal({ proposal }: { proposal: AutonomyProposal }) {
  const { projectId, setting, level } = proposal;
  const { problem, busy, run } = useAction();
  return (
    <section class="insight-proposal" aria-label="Proposal">
      <p>{proposalWords(proposal)}</p>
      <button
        type="button"
        disabled={busy.value}
        onClick={() => void run(() => hub.setAutonomy(projectId, { [setting]: level }))}
      >
        Yes, change it
      </button>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  );
}

const KINDS: NotificationKind[] = ['question', 'approval', 'permission', 'gate'];

function Charts({ weeks }: { weeks: InsightWeek[] }) {
  const bars = (parts: (week: InsightWeek) => number[], words: (week: InsightWeek) => string) =>
    weeks.map((week) => ({ label: week.begins.slice(0, 10), parts: parts(week), words: words(week) }));
  const ofKind = ({ asked }: InsightWeek, kind: NotificationKind) =>
    asked.reduce((sum, each) => sum + (each.kind === kind ? each.count : 0), 0);
  const used = KINDS.filter((kind) => weeks.some((week) => ofKind(week, kind) > 0));
  return (
    <div class="charts">
      <div>
        <Chart
          title="Questions per week"
          bars={bars(
            (week) => KINDS.map((kind) => ofKind(week, kind)),
            (week) => used.map((kind) => `${ofKind(week, kind)} ${kind}`).join(', '),
          )}
          top={String}
        />
        <ul class="legend">
          {used.map((kind) => (
            <li key={kind}>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect class={`part-${KINDS.indexOf(kind)}`} width="10" height="10" />
              </svg>
              {kind}
            </li>
          ))}
        </ul>
      </div>
      <Chart
        title="Time to answer, the median of each week"
        bars={bars(
          (week) => [week.medianSeconds],
          (week) => `${seconds(week.medianSeconds)}; 19 of 20 within ${seconds(week.p95Seconds)}`,
        )}
        top={seconds}
      />
      <Chart
        title="Time that agents and tasks stood idle"
        bars={bars(
          (week) => [week.idleSeconds],
          (week) => seconds(week.idleSeconds),
        )}
        top={seconds}
      />
    </div>
  );
}

function Askers({ insights }: { insights: Insights }) {
  return (
    <table class="askers">
      <thead>
        <tr>
          <th>Asked by</th>
          <th>Kind</th>
          <th class="number">Questions</th>
        </tr>
      </thead>
      <tbody>
        {askedBy(insights).map(({ asker, kind, count }) => (
          <tr key={`${kind} ${asker}`}>
            <td dir="auto">{asker}</td>
            <td>{kind}</td>
            <td class="number">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
