import type { Shape } from './hide.ts';

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

/** How a value was written: `token: VALUE`, `"token":"VALUE"`, `TOKEN=VALUE`. */
interface Written {
  isQuoted: boolean;
  /** A value of plain letters counts too, because only a secret is written like this. */
  mayBeWord: boolean;
}

/** Where a value comes from, not the value: `${PASSWORD}`, `<password>`, `%TOKEN%`, `env.TOKEN`, `op://vault/item`. */
const REFERENCE =
  /\$\{|^(?:\{\{|\$\(|\$[A-Za-z_]\w*$|<|%\w+%$|\[redacted\]|(?:process|os|import|secrets|vars|env|config)[.[]|(?:op|vault|file|https?|arn|ssm|ref|data|env|stdin):|@|~?\.{0,2}\/[\w.@/-]+$)/;
/** A shell or a programming language evaluates it. */
const CODE = /^[$%&*!|.^]|^\/[^\w]|[()[\]{}]|=>|&&|\|\||==|->|::/;
/** `user.password`, `req.body.token1` */
const MEMBER = /^[A-Za-z_$][\w$]{0,40}(?:\??\.[#A-Za-z_$]{1,40}\d{0,2}){1,8}$/;
/** `1000`, `2026-11-18`, `1.2.3`, `3600s` */
const NUMBER = /^[v^~<>=]*[\d.,:_%+-]+[A-Za-z]{0,2}$/;
const FILLER =
  /^([xX*._-])\1*$|[xX]{4}|\*{3}|\.{3}|…|EXAMPLE|^(?:your|my|the|some|any|new|old|example|sample|dummy|fake|mock|test|insert|enter|replace|put|choose|change)[-_. ]?(?:own|real|api|access|secret|token|key|pass|password|auth|client|personal|here|with|in|one|me|it|value|this|user|db|database|github|gitlab|openai)[A-Za-z-_. ]*\d{0,3}$/i;
/** A name, such as a variable's: `newPassword`, `client_secret_2`, `api-key`. */
const NAME_IN_VALUE = /^[A-Za-z_$-]*(?:pass|pwd|secret|token|key|cred|auth)[A-Za-z_$-]*\d{0,2}$/i;
const CAMEL = /^[a-z]+(?:[A-Z][a-z]+)+$|^(?:[A-Z][a-z]+){2,}$/;
const WORDS = /^[A-Za-z]+(?:[-_./:+@ ]+[A-Za-z]+)*$/;
/** What is a word although it has digits: `base64-encoded`, `sha256`, `Uint8Array`. */
const TECHNICAL =
  /^(?:(?:base|sha|utf|u?int|float|oauth|x|ed|rsa|aes|hs|rs|es|md|v|ipv|http|s|k|p|argon|bcrypt|scrypt|pbkdf)\d+(?:array|url)?|[A-Za-z]+|\d{1,3})$/i;
const PLAIN_WORD =
  /^(?:anything|disabled|enabled|function|incorrect|nullable|optional|plaintext|required|something|undefined|whatever)$/;

/** Whether it can be a secret, and not a type, a word, a number, a placeholder or the name of where it is kept. */
function isSecretValue(written: string, { isQuoted, mayBeWord }: Written): boolean {
  // A longer one is judged by its beginning, so that this takes the same time for any text.
  const value = written.slice(0, 300).replace(/(?:[?!.:,;]|\\[nrt]){1,3}$/, '');
  if (value.length < 6 || REFERENCE.test(value) || FILLER.test(value) || NUMBER.test(value)) return false;
  if (!isQuoted && (CODE.test(value) || MEMBER.test(value))) return false;
  if (NAME_IN_VALUE.test(value)) return false;
  if (WORDS.test(value))
    return mayBeWord && value.length >= 8 && !CAMEL.test(value) && !PLAIN_WORD.test(value);
  return !value.split(/[-_./:+@ ]+/).every((piece) => TECHNICAL.test(piece));
}
