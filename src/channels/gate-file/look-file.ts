/** Where what there is to look at lies: beside the file that answers a gate. */
export function lookFile(gateFile: string): string {
  return gateFile.replace(/\.yaml$/, '.md');
}
