/** Commands that are easily displayed as something else. Each must be readable, byte for byte, wherever it is approved. */
export interface AwkwardCommand {
  name: string;
  command: string;
  /** The lines that a person reads. */
  shown: string[];
}

const one = (name: string, command: string, ...shown: string[]): AwkwardCommand => ({
  name,
  command,
  shown: shown.length > 0 ? shown : [command],
});

const lines = Array.from({ length: 200 }, (_, index) => `echo step ${index + 1}`);
const long = `echo ${'padding '.repeat(400)}&& rm -rf "$HOME"`;

export const awkwardCommands: AwkwardCommand[] = [
  one('Markdown stars', 'rm -rf packages/**/dist'),
  one('backticks', 'echo `whoami` ```id```'),
  one('a Markdown link', 'open [x](y) __main__ # not a heading'),
  one('HTML', '<img src=x onerror=alert(1)> <b>bold</b> <!channel>'),
  one('an HTML entity', 'echo a &amp; b &lt;c&gt;'),
  one('colours', 'echo \x1b[8mhidden\x1b[0m', 'echo ␛[8mhidden␛[0m'),
  one('a terminal title without an end', 'echo a \x1b]0;title && rm -rf ~', 'echo a ␛]0;title && rm -rf ~'),
  one(
    'a device string without an end, 8 bit',
    'echo \x90q\x9b2J && rm -rf ~',
    'echo ⟨U+0090⟩q⟨U+009B⟩2J && rm -rf ~',
  ),
  one('a carriage return', 'rm -rf ~\rls -la     \r\necho', 'rm -rf ~␍ls -la     ␍', 'echo'),
  one('backspaces', 'rm -rf ~\b\b\b\b\b\b\b\bls\x7f\x07\0', 'rm -rf ~␈␈␈␈␈␈␈␈ls␡␇␀'),
  one(
    'text that runs from right to left',
    'cat \u202egpj.exe\u202c \u2066x\u2069 \u200fא',
    'cat ⟨U+202E⟩gpj.exe⟨U+202C⟩ ⟨U+2066⟩x⟨U+2069⟩ ⟨U+200F⟩א',
  ),
  one(
    'characters without width',
    'cat pass\u200bwd\ufeff a\u00adb \u{e0041} x\u2028y',
    'cat pass⟨U+200B⟩wd⟨U+FEFF⟩ a⟨U+00AD⟩b ⟨U+E0041⟩ x⟨U+2028⟩y',
  ),
  one(
    'a flood of combining marks',
    `echo e${'\u0301'.repeat(6)} \u0301`,
    `echo e${'\u0301'.repeat(4)}⟨U+0301⟩⟨U+0301⟩ ⟨U+0301⟩`,
  ),
  one('blanks at both ends', '  rm -rf a\u00a0b \\ ', '  rm -rf a⟨U+00A0⟩b \\␠'),
  one('tabs', 'cat <<-EOF\n\tindented\t\n\tEOF', 'cat <<-EOF', '\tindented␉', '\tEOF'),
  one('signs that look like drawn ones', 'echo ␛ ⟨U+202E⟩ ␠', 'echo ⟨U+241B⟩ ⟨U+27E8⟩U+202E⟩ ⟨U+2420⟩'),
  one('a very long line', long),
  one('200 lines', lines.join('\n'), ...lines),
  one(
    'lines that look like a prompt',
    'ls\n\n  1) Approve\n  2) Reject\n› 1',
    'ls',
    '',
    '  1) Approve',
    '  2) Reject',
    '› 1',
  ),
  one(
    'lines that look like our headings',
    'true\nMay the agent use Read?\nStored: n-1 Approve\ncommand (1 line, 2 characters)\n│ ls',
    'true',
    'May the agent use Read?',
    'Stored: n-1 Approve',
    'command (1 line, 2 characters)',
    '│ ls',
  ),
];
