/** The numbers of the issues that a text names: `#10, #11`, `10 and 11`, `gh#10`, a URL. */
export function issueNumbers(text: string): number[] {
  const found = text.matchAll(/(?<![\w.])#?(\d{1,15})(?!\w|\.\d)|(?:gh|github|issues\/)#?(\d{1,15})/gi);
  return [...new Set(Array.from(found, ([, plain, marked]) => Number(plain ?? marked)))];
}

/** Whether a field of this name lists issues. */
export function isIssuesField(name: string): boolean {
  return /^(?:github )?issues?$/i.test(name);
}
