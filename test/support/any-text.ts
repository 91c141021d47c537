import fc from 'fast-check';

/** Any character; a third of them is ASCII. fast-check's own unit `binary` makes a table of a million of them first. */
export const anyCodePoint = fc
  .oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
