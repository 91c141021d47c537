import { endsInBlank } from '../../schema/blank.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';

/** No script, no image, nothing from elsewhere; the form goes to us alone, and no other site may frame it. */
export const linkHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // `no-referrer` would make browsers hide the origin of the form as well.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
} as const;

/** The page that a link shows: one question, and a form to answer it. */
export function questionPage(of: Notification, question: Question, project: string): string {
  const { options = [], multi = false, recommended = [], context, header } = question;
  const type = multi ? 'checkbox' : 'radio';
  const choices = options.map(
    ({ label, description }) =>
      `<label><input type="${type}" name="option" value="${html(label)}"><span>${html(label)}${[recommended].flat().includes(label) ? ' <b>recommended</b>' : ''}${
        description ? `<small>${html(description)}</small>` : ''
      }</span></label>`,
  );
  const hint = options.some(({ label }) => endsInBlank(label))
    ? 'What belongs in place of the "…", or your own words'
    : 'In your own words';
  const free =
    of.source === 'approval' ? '' : `<textarea name="text" rows="3" placeholder="${html(hint)}"></textarea>`;
  return page(
    'A question',
    `<p class="dim">${html([project, header].filter(Boolean).join(' · '))}</p>
<h1>${html(question.text)}</h1>
${context ? `<pre>${html(context)}</pre>` : ''}
<form method="post">${choices.join('\n')}${free}<button>Answer</button></form>`,
  );
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
