import type { Issue } from '../../issues/issue.ts';
import { issuesFromFolder } from '../../issues/issue-folder.ts';

export type DemoIssue = Pick<Issue, 'number' | 'title' | 'body'>;

/** The demo's issues: those of a folder, or its own. */
export function demoIssues(folder: string | undefined): DemoIssue[] {
  return folder === undefined ? sample : issuesFromFolder(folder);
}

/** Issues of the sample project: one says enough, the others leave something open. */
const sample: DemoIssue[] = [
  {
    number: 1,
    title: 'Export the list as CSV',
    body: `People copy the list by hand into their spreadsheets. Give them an export.

- one line for each entry, after a header line
- text with a comma or a quote survives the round trip to a spreadsheet
`,
  },
  { number: 2, title: 'Search by words in the title', body: 'Somebody asked for it again.\n' },
  {
    number: 3,
    title: 'Keep the settings across restarts',
    body: `As a reader, I want my filter to survive a restart, so that I do not have to set it each time.

Which storage should we use, SQLite or a JSON file?

## Acceptance criteria

- after a restart, the last filter is set again
- an unreadable store counts as empty
`,
  },
];
