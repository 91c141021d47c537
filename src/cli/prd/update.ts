import { colorsOn } from '../../channels/colors.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { visible } from '../../schema/visible.ts';
import { openPrdChange, updatePrd } from '../../work/kinds/roles/update-prd.ts';
import { print, printJson, tell } from '../output.ts';
import { attendRole } from '../roles/attend-role.ts';
import type { RoleOptions } from '../roles/role-options.ts';

export async function update(given: string | undefined, text: string, options: RoleOptions): Promise<void> {
  const { resume, format } = options;
  if (resume !== undefined && given !== undefined)
    throw new FermataError(
      'invalid',
      '--resume continues an earlier change. Leave out the section and the text.',
    );
  const wanted = resume === undefined ? { section: given ?? '', text } : { resume };
  await attendRole(
    options,
    (id) => cmd`prd update --resume ${id}`,
    (context, consulting) => updatePrd(context, wanted, consulting),
    async ({ task, path, section, summary, diff }) => {
      if (format === 'json') return printJson({ task, path, section, summary, diff });
      await print(diff.map(coloured).join('\n'));
      tell(
        diff.length > 0
          ? `Wrote the section ${section} in ${path}. ${summary}`
          : `${path} did not need a change. ${summary}`,
      );
    },
    (context, consulting) => openPrdChange(context, wanted, consulting),
  );
}

function coloured(line: string): string {
  const colors = colorsOn(process.stdout);
  const text = visible(line);
  if (text.startsWith('+')) return colors.green(text);
  return text.startsWith('-') ? colors.red(text) : text;
}
