import type { Phase, Plan } from './plan.ts';

/** A plan as `fermata plan show --format json` prints it. */
export function planJson({ title, metadata, phases, problems }: Plan) {
  return {
    title,
    metadata: {
      github_issues: metadata.githubIssues,
      github_repo: metadata.githubRepo,
      created: metadata.created,
      jira_issues: metadata.jiraIssues,
    },
    phases: phases.map(phaseJson),
    problems: problems.map(({ code, message, suggestion, file, span }) => ({
      code,
      message,
      file,
      line: span.line,
      column: span.column,
      suggestion,
    })),
  };
}

function phaseJson({ id, title, path, status, issues, dependsOn, file }: Phase) {
  return {
    id,
    title,
    path,
    status,
    issues,
    depends_on: dependsOn.flatMap((dependency) => dependency.id ?? []),
    gates: (file?.gates ?? []).map(({ name, command, line }) => ({ name, command, line })),
    tasks: (file?.tasks ?? []).map(({ id, text, done, line }) => ({
      ...(id ? { id } : {}),
      text,
      done,
      line,
    })),
    notes: { input: file?.notes.input?.path ?? null, output: file?.notes.output?.path ?? null },
    agents: (file?.agents ?? []).flatMap(({ name, required }) => (required ? [name] : [])),
    criteria: (file?.criteria ?? []).map(({ id, text, line }) => ({ ...(id ? { id } : {}), text, line })),
  };
}
