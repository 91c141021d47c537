/** The file with a gate's material, next to the file that answers the gate. */
export function lookFile(gateFile: string): string {
  return gateFile.replace(/\.yaml$/, '.md');
}
