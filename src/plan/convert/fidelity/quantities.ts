/** The factor of each unit, relative to the smallest unit of its kind. */
const units: [kind: string, factor: number, names: string][] = [
  ['time', 1, 'ms millisecond milliseconds'],
  ['time', 1000, 's sec secs second seconds'],
  ['time', 60_000, 'min mins minute minutes'],
  ['time', 3_600_000, 'h hour hours'],
  ['time', 86_400_000, 'day days'],
  ['time', 604_800_000, 'week weeks'],
  ['size', 1, 'byte bytes'],
  ['size', 1e3, 'kb'],
  ['size', 1e6, 'mb'],
  ['size', 1e9, 'gb'],
  ['size', 1e12, 'tb'],
  ['size', 2 ** 10, 'kib'],
  ['size', 2 ** 20, 'mib'],
  ['size', 2 ** 30, 'gib'],
];
const byName = new Map(
  units.flatMap(([kind, factor, names]) => names.split(' ').map((name) => [name, { kind, factor }] as const)),
);
const words =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const quantity = new RegExp(
  `((?<![\\d,_])\\d[\\d,_]*(?:\\.\\d+)?|\\b(?:${words.join('|')}))[ -]?(${[...byName.keys()].join('|')})\\b`,
  'gi',
);

/** `10,000`, `10_000` and `10k` are one number. */
export function numberOf(digits: string): number {
  const factor = /k$/i.test(digits) ? 1e3 : /M$/.test(digits) ? 1e6 : 1;
  return Number(digits.replace(/[,_kKM]/g, '')) * factor;
}

export const wordFor = (value: number) => words[value];

/** The times and sizes in a text, whatever unit they are written in: `2 minutes` and `120s` are the same. */
export function quantitiesIn(text: string): string[] {
  return Array.from(text.matchAll(quantity), ([, amount = '', name = '']) => {
    const { kind, factor } = byName.get(name.toLowerCase()) ?? { kind: name, factor: 1 };
    const spelled = words.indexOf(amount.toLowerCase());
    return `${kind} ${(spelled >= 0 ? spelled : numberOf(amount)) * factor}`;
  });
}
