import { useMemo } from 'preact/hooks';
import { visible, visibleProse } from '../../../src/schema/visible.ts';
import { type Align, type Block, type Inline, parseMarkdown } from './markdown.ts';

/** Untrusted text as DOM nodes, so that its markup never becomes markup of the page. */
export function RichText({ text, class: name = '' }: { text: string; class?: string }) {
  return useMemo(
    () => (
      <div class={`rich ${name}`} dir="auto">
        {parseMarkdown(visibleProse(text)).map(block)}
      </div>
    ),
    [text, name],
  );
}

function block(block: Block, key: number) {
  switch (block.kind) {
    case 'paragraph':
      return <p key={key}>{block.inline.map(span)}</p>;
    case 'heading':
      return (
        <p key={key} class="rich-heading">
          {block.inline.map(span)}
        </p>
      );
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        <pre key={key} tabIndex={0}>
          <code>{visible(block.text)}</code>
        </pre>
      );
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index} class={BOX.test(item[0]?.text ?? '') ? 'boxed' : undefined}>
          {item.map(span)}
        </li>
      ));
      return block.ordered ? <ol key={key}>{items}</ol> : <ul key={key}>{items}</ul>;
    }
    case 'table':
      return <Table key={key} {...block} />;
    default: {
      const never: never = block;
      return never;
    }
  }
}

/** An item with a check box needs no bullet. */
const BOX = /^[☐☑] /;

function Table({ align, head, rows }: { align: Align[]; head: Inline[][]; rows: Inline[][][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div class="rich-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} class={align[index]}>
                {cell.map(span)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => (
                <td key={place} class={align[place]}>
                  {cell.map(span)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function span({ kind, text }: Inline, key: number) {
  switch (kind) {
    case 'code':
      return <code key={key}>{visible(text)}</code>;
    case 'strong':
      return <strong key={key}>{text}</strong>;
    case 'emphasis':
      return <em key={key}>{text}</em>;
    case 'text':
      return text;
    default: {
      const never: never = kind;
      return never;
    }
  }
}
