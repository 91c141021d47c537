import * as z from 'zod';
import { FermataError } from '../../schema/error.ts';

const Milestone = z.object({ number: z.int(), title: z.string() });

/** The number of the milestone that a person named by its title or its number. */
export async function milestoneNumber(pages: AsyncIterable<unknown[]>, wanted: string): Promise<number> {
  const all: z.infer<typeof Milestone>[] = [];
  for await (const page of pages) {
    all.push(...page.flatMap((entry) => Milestone.safeParse(entry).data ?? []));
  }
  const found =
    all.find(({ title }) => title === wanted) ??
    all.find(({ title }) => title.toLowerCase() === wanted.trim().toLowerCase()) ??
    all.find(({ number }) => String(number) === wanted.trim());
  if (found) return found.number;
  const titles = all.slice(0, 10).map(({ title }) => `"${title}"`);
  const known =
    titles.length > 0
      ? ` There are: ${titles.join(', ')}${all.length > 10 ? ', …' : ''}.`
      : ' The repository has no milestones.';
  throw new FermataError('not_found', `Milestone "${wanted}" not found.${known}`);
}
