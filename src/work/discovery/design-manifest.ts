import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { withFileInside } from '../../files/open-inside.ts';
import { realPath } from '../../files/real-path.ts';
import { planPath } from '../../plan/grammar/master.ts';
import { Refusal } from '../../schema/refusal.ts';
import { findPlanFolder } from '../phases/find-plan.ts';
import type { Surroundings } from '../phases/plan-context.ts';
import { readYaml } from '../phases/read-yaml.ts';

const MAX_SIZE = 1024 * 1024;
const Entry = z.object({ file: z.string().min(1), description: z.string().default('') });
const Manifest = z.union([
  z.array(Entry),
  z.object({ designs: z.array(Entry) }),
  z.object({ files: z.array(Entry) }),
]);

/**
 * The designs of the plan, as listed in its `design/manifest.yaml`, or else of the project: discovery reads them before
 * there is a plan.
 */
export async function designsOf(around: Surroundings, wanted: string | undefined): Promise<object> {
  if (wanted !== undefined) return readDesignManifest((await findPlanFolder(around, wanted)).folder);
  const project = around.git?.top ?? around.cwd;
  const hasOwn = existsSync(manifestIn(project));
  const folder = await findPlanFolder(around, undefined).then(
    (plan) => (hasOwn && !existsSync(manifestIn(plan.folder)) ? project : plan.folder),
    (error: unknown) => {
      const isNone = error instanceof Refusal && error.type === 'no_plan';
      if (hasOwn || isNone) return project;
      throw error;
    },
  );
  return readDesignManifest(folder);
}

const manifestIn = (folder: string) => join(folder, 'design', 'manifest.yaml');

/** Names nothing outside the folder. */
export function readDesignManifest(folder: string): object {
  const path = manifestIn(folder);
  if (!existsSync(path)) return { manifest: null, designs: [] };
  const text = withFileInside([folder], path, (file, there) =>
    there.isFile() && there.size <= MAX_SIZE ? readFileSync(file, 'utf8') : undefined,
  );
  if (text === 'outside') throw unreadable(path, 'it is a link that points outside its folder');
  if (text === undefined) throw unreadable(path, `it is not a file of at most ${MAX_SIZE} bytes`);
  const read = readYaml(text);
  if ('problem' in read) throw unreadable(path, read.problem);
  const parsed = Manifest.safeParse(read.value ?? []);
  if (!parsed.success) throw unreadable(path, 'it is not a list of entries with "file" and "description"');
  const entries = Array.isArray(parsed.data)
    ? parsed.data
    : 'designs' in parsed.data
      ? parsed.data.designs
      : parsed.data.files;
  return {
    manifest: path,
    designs: entries.map(({ file, description }) => design(folder, file, description)),
  };
}

function design(folder: string, file: string, description: string): object {
  const inside = planPath(file, 'design');
  if (!inside || 'outside' in inside) {
    throw new Refusal(
      'invalid_path',
      `The design manifest names "${file.slice(0, 200)}", which is outside ${folder}.`,
      { code: 'invalid' },
    );
  }
  const path = join(folder, inside.path);
  const isThere = existsSync(path) && !relative(realPath(folder), realPath(path)).startsWith('..');
  return { file, path, description, exists: isThere };
}

function unreadable(path: string, why: string): Refusal {
  return new Refusal('unreadable_manifest', `Cannot read ${path}: ${why}.`, {
    suggestion: 'Write a list: "- file: screen.png" with "description: …" below it.',
    code: 'invalid',
  });
}
