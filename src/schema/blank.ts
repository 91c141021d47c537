/** Whether an option ends in a blank that only a person can fill in, as in "With these steps: …". */
export const endsInBlank = (label: string) => /\s…$/.test(label);

/** Such an option with the blank filled in; `text` may repeat the beginning of the option. */
export function filledIn(label: string, text: string): string {
  const beginning = label.slice(0, -1);
  const said = text.trim();
  return said.startsWith(beginning.trim()) ? said : `${beginning}${said}`;
}
