/** Whether this is a valid branch name (the rules of `git check-ref-format --branch`). */
export function isBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name === '@' || name.startsWith('-') || name.length > 1000)
    return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what git refuses
  if (/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\.$|\/$|\/\//.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
