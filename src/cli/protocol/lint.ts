import { projectLibrary } from '../../protocols/library.ts';
import { type Lint, lintFiles, lintLibrary } from '../../protocols/lint.ts';
import { problemLine } from '../../protocols/protocol.ts';
import { counted } from '../../schema/counted.ts';
import { visible } from '../../schema/visible.ts';
import type { CommonOptions } from '../command.ts';
import { exit } from '../exit.ts';
import { print, printJson } from '../output.ts';

/** Prints what is wrong with these protocol files, or with all available ones. */
export async function lintProtocols(files: string[], { format }: CommonOptions): Promise<void> {
  const lint = files.length > 0 ? await lintFiles(files) : await lintLibrary(projectLibrary('.'));
  const passed = lint.problems.every(({ severity }) => severity !== 'error');
  await (format === 'json' ? printJson({ passed, ...lint }) : print(visible(lintText(lint))));
  if (!passed) process.exitCode = exit.wrongUse;
}

function lintText({ files, problems }: Lint): string {
  const count = (severity: string) => problems.filter((problem) => problem.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const found = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  const checked = `${counted(files.length, 'protocol')} checked`;
  return [...problems.map(problemLine), `${checked}: ${found.join(', ') || 'no problems'}.`].join('\n');
}
