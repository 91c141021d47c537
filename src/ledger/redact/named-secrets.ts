import type { Shape } from './hide.ts';
import { isSecretValue } from './is-secret-value.ts';

/** Finds secrets by what stands before them. The first group of the pattern stays; what follows it is hidden. */
export interface NamedSecret extends Shape {
  name: string;
}

/** What the name of a secret ends with. It begins with fixed letters and looks back from there, which is ten times as fast. */
const NAME =
  '(?:pass(?:word|wd|phrase|code|(?<![a-z]pass))|pwd(?<=(?:[a-z0-9][_-]|;)pwd)|secret|token|credentials?|key(?<=(?:api|access|account|auth|encryption|fermata|functions|license|master|page|private|secret|service|shared|signing|subscription|webhook)[_-]?key))';
/** `password`: any word after it may be one. */
const PASSWORD = /pass(?:word|wd|phrase|code)?["'`\]\\]*(?:\s*[:=]>?\s*["'`\\]+|=)$/i;
/** `token_file`, `secretName`, `access_key_id`: about a secret, but none. */
const ABOUT =
  /(?:age|alg|algorithm|arn|at|audience|budget|cmd|command|count|dir|enabled|env|expir\w*|field|file|format|header|hint|host|ids?|index|issuer|kind|label|len|length|limit|manager|max|min|name|param|path|policy|port|prefix|provider|ref|required|rotation|scopes?|size|source|stdin|store|suffix|ttl|type|uri|url|usage|var|version)$/i;
/** A quoted value has no blanks and ends at its quote, or where the text was cut off. */
const VALUE =
  '(?:(?<=\\\\["\'])[^"\'\\s\\\\]+(?=\\\\|$)|(?<=")(?:\\\\.|[^"\\s\\\\])+(?="|$)|(?<=\')[^\'\\s]+(?=\'|$)|(?<=`)[^`\\s]+(?=`|$)|(?<!["\'`])[^\\s"\'`<>|,;&)}\\]]+)';

/** In the order in which they are looked for. */
export const namedSecrets: NamedSecret[] = [
  {
    name: 'password of a URL',
    shape: /(:\/\/(?<=[a-z0-9+.-]:\/\/)[^\s:/@]{0,200}:)[^\s/?#"'<>]{1,500}(?=@)/gi,
    isSecret: (value) =>
      !/^(?:\$|<|%\w+%$|\{|\*+$|[xX]{3,}$|\.{3}$|\[redacted\]|(?:pass|password|passwd|pwd|pw|token)$)/i.test(
        value,
      ),
  },
  {
    name: 'token in place of a user in a URL',
    shape: /(:\/\/(?<=[a-z0-9+.-]:\/\/))(?=[a-z_-]{0,60}\d)[\w-]{16,200}(?=@)/gi,
  },
  { name: 'Slack webhook', shape: /(hooks\.slack\.com\/(?:services|triggers|workflows)\/)[\w/-]{20,}/g },
  { name: 'Discord webhook', shape: /(discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/)[\w-]{40,}/g },
  { name: 'Teams webhook', shape: /(webhook\.office\.com\/webhookb2\/)[\w@/-]{40,}/g },
  { name: 'signed URL', shape: /([?&]sig=|x-(?:amz|goog)-signature=)[\w%+/=-]{20,}/gi },
  {
    name: 'bearer',
    shape: /\b(Bearer\s{1,8})(?!(?:[A-Za-z]{1,15}[-/. ]){1,8}[A-Za-z]{1,15}\b)[A-Za-z0-9._~+/-]{16,}=*/g,
  },
  {
    name: 'Authorization header',
    shape:
      /(authorization\\{0,3}["']?[ \t]{0,3}[:=][ \t]{0,3}\\{0,3}["'`]?(?:[a-z][\w-]{1,20} {1,3})?)[^\s"'`\\,;<>]{6,}/gi,
    isSecret: (value) => isSecretValue(value, { isQuoted: false, mayBeWord: value.length >= 16 }),
  },
  {
    // `DB_PASSWORD=…`, as in a settings file.
    name: 'setting',
    shape:
      /(=(?<=(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|(?<![A-Z])PASS|_PWD|(?:ACCESS|ACCOUNT|API|AUTH|ENCRYPTION|FERMATA|MASTER|PRIVATE|SIGNING|SERVICE)_?KEY)[A-Z0-9_]{0,30}\s{0,3}=)\s{0,3}["']?)[^\s"']{8,}/g,
    isSecret: (value, lead) =>
      isSecretValue(/^[^;&|]*/.exec(value)?.[0] ?? '', { isQuoted: /["']$/.test(lead), mayBeWord: true }),
  },
  {
    name: 'named value',
    shape: new RegExp(
      `(${NAME}[\\w-]{0,40}\\\\{0,3}["'\`]?\\]?[ \\t]{0,3}(?:=>|:=|={1,3}|:)[ \\t]{0,3}\\\\{0,3}["'\`]?)${VALUE}`,
      'gi',
    ),
    isSecret: isNamedSecret,
  },
  {
    name: 'option',
    shape: new RegExp(
      `(${NAME}(?<=(?:^|\\s)--?[a-z_-]{0,40})[ \\t]{1,4}["']?)[^\\s"'\`<>|,;&)}\\]-][^\\s"'\`<>|,;&)}\\]]+`,
      'gi',
    ),
    isSecret: (value) => !/\w=\w/.test(value) && isSecretValue(value, { isQuoted: false, mayBeWord: false }),
  },
  {
    name: 'user and password of curl',
    within: /\bcurl\b[^\r\n]*/g,
    shape: /(\s(?:-u|--user|--proxy-user)[ =]{0,3}["']?[^\s"':]{0,100}:)[^\s"']{4,}/g,
    isSecret: (value) => isSecretValue(value.padEnd(8, value), { isQuoted: true, mayBeWord: true }),
  },
  {
    name: 'cookie',
    within: /(?:\bcookie\\{0,3}["']?[ \t]{0,3}:|--cookie[ =])[ \t]{0,3}\\{0,3}["']?[^\r\n"'\\]*/gi,
    shape: /(=(?<!\b(?:domain|expires|max-age|path|samesite|version)=))[^;,\s]{8,}/gi,
    isSecret: (value) => isSecretValue(value, { isQuoted: true, mayBeWord: false }),
  },
  {
    name: '.netrc',
    shape: /(\blogin\s{1,3}\S{1,100}\s{1,3}password\s{1,3})\S{4,}/g,
    isSecret: (value) => isSecretValue(value, { isQuoted: true, mayBeWord: true }),
  },
  {
    name: 'SQL',
    shape: /(\b(?:identified by|password)[ \t]{1,3}')[^'\s]{6,}(?=')/gi,
    isSecret: (value) => isSecretValue(value, { isQuoted: true, mayBeWord: true }),
  },
  {
    name: 'XML',
    shape: new RegExp(`(${NAME}>)[^<>\\s]{6,}(?=</)`, 'gi'),
    isSecret: (value) => isSecretValue(value, { isQuoted: true, mayBeWord: true }),
  },
  {
    // Docker's and npm's settings: a name and a password in base64.
    name: 'auth',
    shape: /(\b_?auth\\{0,3}["']?[ \t]{0,3}[:=][ \t]{0,3}\\{0,3}["']?)[A-Za-z0-9+/]{8,}={0,2}/g,
    isSecret: (value) =>
      /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(value.slice(0, 400), 'base64').toString('latin1')),
  },
];

function isNamedSecret(value: string, lead: string): boolean {
  const [, suffix = ''] =
    /^(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|key)([\w-]*)/i.exec(lead) ?? [];
  if (/^[a-z]/.test(suffix) || ABOUT.test(suffix)) return false;
  const isQuoted = /["'`]$/.test(lead);
  return isSecretValue(value, { isQuoted, mayBeWord: PASSWORD.test(lead) });
}
