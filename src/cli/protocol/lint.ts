import { printable } from '../../channels/printable.ts';
import { projectLibrary } from '../../protocols/library.ts';
import { type Lint, lintFiles, lintLibrary } from '../../protocols/lint.ts';
import { problemLine } from '../../protocols/problem.ts';
import type { CommonOptions } from '../command.ts';
import { exit } from '../exit.ts';
import { print, printJson } from '../output.ts';

/** Prints what is wrong with protocols: these files, or all that there are here. */
export async function lintProtocols(files: string[], { format }: CommonOptions): Promise<void> {
  const lint = files.length > 0 ? await lintFiles(files) : await lintLibrary(projectLibrary('.'));
  const passed = lint.problems.every(({ severity }) => severity !== 'error');
  await (format === 'json' ? printJson({ passed, ...lint }) : print(printable(lintText(lint))));
  if (!passed) process.exitCode = exit.wrongUse;
}

function lintText({ files, problems }: Lint): string {
  const count = (severity: string) => problems.filter((problem) => problem.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const found = [
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ];
  const checked = `${files.length} ${files.length === 1 ? 'protocol' : 'protocols'} checked`;
  return [...problems.map(problemLine), `${checked}: ${found.join(', ') || 'no problems'}.`].join('\n');
}
