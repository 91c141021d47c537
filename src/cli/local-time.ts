/** A time for people, in their own time zone: `2026-11-16 10:03:22`. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
