import type { Project } from '../../schema/project.ts';
import { iso } from '../engine/iso.ts';
import type { ProjectRow } from '../engine/tables.ts';

export function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    root: row.root,
    hilConfig: row.hil_config === null ? null : JSON.parse(row.hil_config),
    lastEvent: row.last_event,
    createdAt: iso(row.created_at),
  };
}
