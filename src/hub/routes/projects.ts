import { existsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { loadSettings } from '../../config/settings.ts';
import { AutonomyPreset, HilConfig } from '../../schema/autonomy.ts';
import { FermataError } from '../../schema/error.ts';
import { ListedProject, Project } from '../../schema/project.ts';
import {
  findProject,
  type LoadSettings,
  openFolder,
  openProject,
} from '../../work/projects/folder-project.ts';
import { type Route, route } from '../route.ts';
import { after, limit, pageOf } from './page-of.ts';

const Settings = z.object({ hilConfig: HilConfig });

const NewProject = z.strictObject({
  root: z.string().max(4096).describe("A folder on the hub's machine."),
});

const SettingsInput = z.strictObject({
  hilConfig: z.union(
    [AutonomyPreset, HilConfig.partial()],
    `it must be a preset (${AutonomyPreset.options.join(', ')}) or some of the levels, as in {"scopeChanges":"automated"}`,
  ),
});

export const projectRoutes: Route[] = [
  route({
    operationId: 'listProjects',
    method: 'get',
    path: '/projects',
    summary: 'Lists the projects of this ledger by name.',
    description: 'A token for one project sees only that project.',
    who: 'anybody',
    query: z.strictObject({ after, limit }),
    data: z.array(ListedProject),
    paged: true,
    async handle({ ledger, caller, query }) {
      const times = await ledger.events.lastTimes();
      const listed = (project: Project) => ({ ...project, lastEventAt: times.get(project.id) ?? null });
      if (caller.projectId !== null) return { data: [listed(await ledger.projects.get(caller.projectId))] };
      return pageOf(
        query,
        async (most, from) => (await ledger.projects.list(most, from)).map(listed),
        ({ id }) => id,
      );
    },
  }),
  route({
    operationId: 'addProject',
    method: 'post',
    path: '/projects',
    summary: 'Adds the project of a folder.',
    description: 'If it already exists, returns it with status 200.',
    who: 'person',
    body: NewProject,
    statuses: [201, 200],
    data: Project,
    async handle({ ledger, caller, body, by }) {
      if (caller.projectId !== null) {
        throw new FermataError('forbidden', 'This token is for one project only.');
      }
      refuseNoFolder(body.root);
      const load: LoadSettings = (config, joined) =>
        loadSettings(body.root, { FERMATA_STORE: ledger.place }, {}, config, joined);
      const visitor = { ledger, by };
      const folder = await openFolder(visitor, load);
      const known = await findProject(visitor, folder);
      return known ? { status: 200, data: known } : { data: await openProject(visitor, folder) };
    },
  }),
  route({
    operationId: 'getProject',
    method: 'get',
    path: '/projects/:project',
    summary: 'Reads one project.',
    who: 'anybody',
    data: Project,
    handle: async ({ ledger, params }) => ({ data: await ledger.projects.get(params.project ?? '') }),
  }),
  route({
    operationId: 'getSettings',
    method: 'get',
    path: '/projects/:project/settings',
    summary: 'Reads how much agents may do alone.',
    who: 'anybody',
    data: Settings,
    handle: async ({ ledger, params }) => ({
      data: { hilConfig: await ledger.projects.hilConfig(params.project ?? '') },
    }),
  }),
  route({
    operationId: 'changeSettings',
    method: 'patch',
    path: '/projects/:project/settings',
    summary: 'Sets a preset, or some of the levels; the others do not change.',
    who: 'person',
    body: SettingsInput,
    data: Settings,
    handle: async ({ ledger, params, body, by }) => ({
      data: { hilConfig: await ledger.projects.setHilConfig(params.project ?? '', body.hilConfig, by) },
    }),
  }),
];

function refuseNoFolder(path: string): void {
  const found = isAbsolute(path) && existsSync(path) && statSync(path).isDirectory();
  if (!found)
    throw new FermataError('invalid', "root must be the full path of a folder on the hub's machine.");
}
