// markdown-it over all Markdown files of a folder, and nothing else: prints how long that took, in milliseconds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';

const [, , folder] = process.argv;
const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
const parser = new MarkdownIt();
const start = performance.now();
for (const text of texts) parser.parse(text, {});
console.log(performance.now() - start);
