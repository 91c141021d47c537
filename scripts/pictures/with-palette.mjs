import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE_LENGTH = 8;
const MAX_COLOURS = 256;
/** How many bytes a pixel has, by PNG's colour type. */
const PIXEL_BYTES = { 2: 3, 6: 4 };

/** Nobody sees a difference of this size between two colours in a picture of text. */
const SAME_COLOUR = 6;

/**
 * The same picture as a PNG with at most 256 colours, which is less than half as large. Most colours are shades at the
 * edges of letters: a rare one becomes the nearest frequent one.
 * @param {Buffer} png an opaque picture with 8 bits per channel, not interlaced, as browsers write it
 */
export function withPalette(png) {
  const { header, width, height, pixels } = decode(png);
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byFrequency = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
  const palette = distinct(byFrequency).slice(0, MAX_COLOURS);
  const indexes = new Map(byFrequency.map((colour) => [colour, nearest(palette, colour)]));
  const lines = Buffer.alloc(height * (width + 1)); // each line begins with its filter: none
  pixels.forEach((colour, at) => {
    lines[at + Math.floor(at / width) + 1] = indexes.get(colour);
  });
  header[9] = 3; // colour type: palette
  return Buffer.concat([
    png.subarray(0, SIGNATURE_LENGTH),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The pixels as numbers 0xRRGGBB, line by line. */
function decode(png) {
  const chunks = chunksOf(png);
  const header = Buffer.from(chunks[0].data);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const step = PIXEL_BYTES[header[9]];
  const data = inflateSync(
    Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)),
  );
  const pixels = new Uint32Array(width * height);
  let above = Buffer.alloc(width * step);
  for (let y = 0; y < height; y++) {
    const start = y * (width * step + 1);
    const line = unfiltered(data[start], data.subarray(start + 1, start + 1 + width * step), above, step);
    for (let x = 0; x < width; x++) pixels[y * width + x] = line.readUIntBE(x * step, 3);
    above = line;
  }
  return { header, width, height, pixels };
}

function chunksOf(png) {
  const chunks = [];
  for (let at = SIGNATURE_LENGTH; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

/** A line without PNG's filter, which stores the difference from the neighbours on the left and above. */
function unfiltered(filter, line, above, step) {
  const result = Buffer.from(line);
  for (let at = 0; at < result.length; at++) {
    const left = at < step ? 0 : result[at - step];
    const corner = at < step ? 0 : above[at - step];
    const guess = [0, left, above[at], (left + above[at]) >> 1, paeth(left, above[at], corner)][filter];
    result[at] = (line[at] + guess) & 0xff;
  }
  return result;
}

function paeth(left, above, corner) {
  const sum = left + above - corner;
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - above), Math.abs(sum - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

function distinct(colours) {
  const kept = [];
  for (const colour of colours)
    if (kept.every((other) => distance(other, colour) > SAME_COLOUR)) kept.push(colour);
  return kept;
}

function nearest(palette, colour) {
  const distances = palette.map((other) => distance(other, colour));
  return distances.indexOf(Math.min(...distances));
}

function distance(one, other) {
  const [a, b] = [channels(one), channels(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const channels = (colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
