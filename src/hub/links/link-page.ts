import { endsInBlank } from '../../schema/blank.ts';
import { isDecisive } from '../../schema/is-question.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question, Verbatim } from '../../schema/question.ts';
import { type Part, withSigns } from '../../schema/signs.ts';
import { diffLines, verbatimCaption, verbatimLines } from '../../schema/verbatim.ts';
import { visible, visibleProse } from '../../schema/visible.ts';
import { questionView, viewOf } from '../../text/question-view.ts';

/** No scripts, no images, nothing from other hosts; the form goes only to us, and no other site may frame it. */
export const linkHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // `no-referrer` would make browsers hide the origin of the form too.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
} as const;

/** The page that a link shows: one question, and a form to answer it. */
export function questionPage(of: Notification, question: Question, project: string): string {
  const { asker, proposal } = viewOf(of);
  const { text, options, multi, context, verbatim, material, header, earlier, silence } = questionView(
    of,
    question,
  );
  const type = multi ? 'checkbox' : 'radio';
  const choices = options.map(
    ({ label, description, mark }) =>
      `<label><input type="${type}" name="option" value="${html(label)}"><span>${html(visibleProse(label))}${mark ? ` <b>${mark}</b>` : ''}${
        description ? `<small>${html(visibleProse(description))}</small>` : ''
      }</span></label>`,
  );
  const hint = options.some(({ label }) => endsInBlank(label))
    ? 'Text to fill in for "…", or your own words'
    : 'In your own words';
  const free = isDecisive(of, question)
    ? ''
    : `<textarea name="text" rows="3" placeholder="${html(hint)}"></textarea>`;
  return page(
    'A question',
    `<p class="dim">${html(visibleProse([project, header, asker].filter(Boolean).join(' · ')))}</p>
<h1>${html(visibleProse(text))}</h1>
${context ? `<pre>${html(visible(context))}</pre>` : ''}
${[earlier, silence, proposal && `${proposal} You can accept it in the inbox.`]
  .map((words) => (words ? `<p class="dim">${html(visibleProse(words))}</p>` : ''))
  .join('')}
${[...verbatim, ...material].map(block).join('\n')}
<form method="post">${choices.join('\n')}${free}<button>Answer</button></form>`,
  );
}

/** Each line is a separate element with its number. A long line wraps, so that nothing is outside the view. */
function block(piece: Verbatim & { isDiff?: boolean }): string {
  const lines = piece.isDiff ? diffLines(piece.text) : verbatimLines(piece.text);
  const rows = lines.map((line) => `<code>${withSigns(line).map(part).join('')}\n</code>`);
  return `<figure><figcaption>${html(verbatimCaption(piece))}</figcaption><pre class="verbatim" dir="ltr">${rows.join('')}</pre></figure>`;
}

function part(of: Part): string {
  return typeof of === 'string' ? html(of) : `<b class="sign" data-name="${of.name}">${of.sign}</b>`;
}

export function messagePage(title: string, message: string): string {
  return page(title, `<h1>${html(title)}</h1><p>${html(message)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${html(title)}</title>
<style>
:root{color-scheme:light dark;font:16px/1.5 system-ui}
body{max-width:36rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem;white-space:pre-wrap;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;opacity:.8}
figure{margin:1rem 0;border:1px solid;border-radius:6px;overflow:hidden}
figcaption{padding:.25rem .75rem;font-size:.8rem;overflow-wrap:anywhere}
.verbatim{opacity:1;max-height:60vh;margin:0;padding:.25rem 0;overflow:auto;border-top:1px solid;counter-reset:line}
.verbatim code{display:block;position:relative;padding:0 .75rem 0 3.2rem;font:13px/20px ui-monospace,monospace;tab-size:8;white-space:break-spaces;overflow-wrap:anywhere;direction:ltr;unicode-bidi:bidi-override;counter-increment:line}
.verbatim code::before{content:counter(line);position:absolute;left:0;width:2.5rem;text-align:right;opacity:.6}
.sign{font-size:0;font-weight:400}
.sign::after{content:attr(data-name);padding:0 2px;border:1px solid;border-radius:3px;font-size:10px}
label{display:flex;gap:.5rem;padding:.5rem 0}
small{display:block}
.dim,small,label b{opacity:.7}
label b{font-size:.8rem}
textarea{width:100%;font:inherit;box-sizing:border-box}
button{font:inherit;padding:.5rem 1.5rem;margin-top:1rem}
</style>
${body}
</html>
`;
}

const html = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
