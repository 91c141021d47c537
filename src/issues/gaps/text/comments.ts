/** Comments in HTML, which may go over several lines. */
export class Comments {
  /** The last line ended inside a comment. */
  isOpen = false;

  /** The line with blanks instead of comments, so that everything else keeps its position. */
  blankedIn(line: string): string {
    if (!this.isOpen && !line.includes('<!--')) return line;
    let kept = '';
    let at = 0;
    while (at < line.length) {
      const end = this.isOpen ? line.indexOf('-->', at) : line.indexOf('<!--', at);
      const stop = end < 0 ? line.length : this.isOpen ? end + 3 : end;
      kept += this.isOpen ? ' '.repeat(stop - at) : line.slice(at, stop);
      if (end >= 0) this.isOpen = !this.isOpen;
      at = stop;
    }
    return kept;
  }
}
