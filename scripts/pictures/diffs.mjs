/** What the agent of the phase "Import of public holidays" changed. */
export const holidaysDiff = `diff --git a/src/hours.ts b/src/hours.ts
--- a/src/hours.ts
+++ b/src/hours.ts
@@ -1,6 +1,8 @@
 export interface Hours {
-  open: string;
-  close: string;
+  weekday: Weekday;
+  spans: Span[];
+  /** The branch is closed on these days. */
+  holidays: Holiday[];
 }
 
 export function isOpen(hours: Hours, at: Date): boolean {
diff --git a/src/holidays/import.ts b/src/holidays/import.ts
new file mode 100644
--- /dev/null
+++ b/src/holidays/import.ts
@@ -0,0 +1,10 @@
+import { readFile } from 'node:fs/promises';
+import { Holiday } from './holiday.ts';
+import { saveHolidays } from './holidays-sql.ts';
+
+/** Replaces the holidays of a country with those of the file. */
+export async function importHolidays(country: string, file: string) {
+  const entries = JSON.parse(await readFile(file, 'utf8'));
+  const holidays = entries.map((entry: unknown) => Holiday.parse(entry));
+  await saveHolidays(country, holidays);
+}
diff --git a/src/cli.ts b/src/cli.ts
--- a/src/cli.ts
+++ b/src/cli.ts
@@ -12,3 +12,4 @@
 command('import')
   .argument('file')
-  .action(importBooks);
+  .option('--country <code>')
+  .action(importHolidays);`;

/** What each variant of the phase "Show hours on the branch page" changed. */
export const hoursDiff = {
  A: branchPageDiff('<HoursTable hours={branch.hours} />'),
  B: branchPageDiff('<p>{formatHours(branch.hours)}</p>'),
  C: branchPageDiff('<Calendar weeks={4} hours={branch.hours} />'),
};

function branchPageDiff(shown) {
  return `diff --git a/src/branch-page.tsx b/src/branch-page.tsx
--- a/src/branch-page.tsx
+++ b/src/branch-page.tsx
@@ -8,4 +8,5 @@
   <h1>{branch.name}</h1>
   <Address of={branch} />
-  <p>Ask at the desk.</p>
+  <h2>Opening hours</h2>
+  ${shown}
 </main>`;
}
