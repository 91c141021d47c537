/**
 * The simple commands of a shell line, each as its words: pipes and redirections end one, quotes keep words
 * together.
 */
export function splitCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let quote = '';
  const end = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (const character of line) {
    if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) end();
    else if (character === '#' && word === undefined) break;
    else if (/[|;&<>()]/.test(character)) {
      end();
      commands.push([]);
    } else word = (word ?? '') + character;
  }
  end();
  return commands.filter((words) => words.length > 0);
}
