import { type Found, type Library, projectLibrary } from '../../protocols/library.ts';
import { FermataError } from '../../schema/error.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson } from '../output.ts';
import { type Column, tablePrinter } from '../table.ts';

interface Listed {
  name: string;
  description: string;
  extends: string | null;
  from: Found['from'];
  file: string;
  readable: boolean;
}

/** Lists the available protocols; an unreadable one shows its error. */
export async function listProtocols(names: string[], { format }: CommonOptions): Promise<void> {
  if (names.length > 0) throw new FermataError('invalid', '--list takes no name.');
  const library = projectLibrary('.');
  const protocols = (await Promise.all(library.names().map((name) => listed(library, name)))).flat();
  if (format === 'json') return printJson({ protocols });
  await print(tablePrinter(columns)(protocols).join('\n'));
}

async function listed(library: Library, name: string): Promise<Listed[]> {
  const found = await library.find(name);
  if (!found) return [];
  const { declaration, problems, from } = found;
  const readable = problems.every(({ severity }) => severity !== 'error');
  return [
    {
      name,
      description: readable ? (declaration.description ?? '') : 'has errors: see --lint',
      extends: declaration.extends?.name ?? null,
      from,
      file: declaration.at.file,
      readable,
    },
  ];
}

const columns: Column<Listed>[] = [
  { heading: 'NAME', cell: ({ name }) => name },
  { heading: 'EXTENDS', cell: (listed) => listed.extends ?? '' },
  { heading: 'FROM', cell: ({ from, file }) => (from === 'builtin' ? 'built in' : file) },
  { heading: 'DESCRIPTION', cell: ({ description }) => description, flexible: true },
];
