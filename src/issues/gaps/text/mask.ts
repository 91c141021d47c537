/** Replaces inline code in masked text, so that code is never read as prose. */
export const CODE = '\ue000';

export interface Link {
  url: string;
  /** Offset in the text. */
  at: number;
}

export interface Masked {
  /** As long as the line, with blanks for everything that is not prose. */
  text: string;
  links: Link[];
  /** Pictures and recordings. */
  images: Link[];
}

const blank = (text: string) => ' '.repeat(text.length);
const media =
  /\.(?:png|jpe?g|gif|webp|svg|mp4|mov|webm)(?:\?|$)|user-images\.|user-attachments\/assets|\/assets\/\d+\//i;

/** Blanks images, addresses, tags and inline code in one line. Every pattern is bounded, so no line is slow to match. */
export function maskInline(line: string, at: number): Masked {
  const links: Link[] = [];
  const images: Link[] = [];
  if (!/[`[<!:’“”]/.test(line)) return { text: line, links, images };
  const keep = (list: Link[], url: string, offset: number) => {
    list.push({ url, at: at + offset });
  };
  const text = line
    .replace(/`{1,3}[^`]{1,500}`{1,3}/g, (code) => CODE.repeat(code.length))
    .replace(/!\[[^[\]]{0,300}\]\(([^()\s]{0,2000})[^()]{0,200}\)/g, (all, url: string, offset: number) => {
      keep(images, url, offset);
      return blank(all);
    })
    .replace(/<(?:img|video)\b[^<>]{0,2000}>/gi, (all, offset: number) => {
      keep(images, all, offset);
      return blank(all);
    })
    .replace(
      /\[([^[\]]{0,300})\]\(([^()\s]{1,2000})[^()]{0,200}\)/g,
      (all, label: string, url: string, offset: number) => {
        keep(media.test(url) ? images : links, url, offset);
        return ` ${label}${blank(all.slice(label.length + 1))}`;
      },
    )
    .replace(/https?:\/\/[^\s<>()[\]"'`]{1,2000}/g, (url, offset: number) => {
      keep(media.test(url) ? images : links, url, offset);
      return blank(url);
    })
    .replace(/<\/?[a-z][^<>]{0,2000}>/gi, blank)
    .replaceAll('’', "'")
    .replace(/[“”]/g, '"');
  return { text, links, images };
}
