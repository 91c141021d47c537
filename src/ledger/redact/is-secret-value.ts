/** How a value was written: `token: VALUE`, `"token":"VALUE"`, `TOKEN=VALUE`. */
export interface Written {
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
const NAME = /^[A-Za-z_$-]*(?:pass|pwd|secret|token|key|cred|auth)[A-Za-z_$-]*\d{0,2}$/i;
const CAMEL = /^[a-z]+(?:[A-Z][a-z]+)+$|^(?:[A-Z][a-z]+){2,}$/;
const WORDS = /^[A-Za-z]+(?:[-_./:+@ ]+[A-Za-z]+)*$/;
/** What is a word although it has digits: `base64-encoded`, `sha256`, `Uint8Array`. */
const TECHNICAL =
  /^(?:(?:base|sha|utf|u?int|float|oauth|x|ed|rsa|aes|hs|rs|es|md|v|ipv|http|s|k|p|argon|bcrypt|scrypt|pbkdf)\d+(?:array|url)?|[A-Za-z]+|\d{1,3})$/i;
const PLAIN_WORD =
  /^(?:anything|disabled|enabled|function|incorrect|nullable|optional|plaintext|required|something|undefined|whatever)$/;

/** Whether it can be a secret, and not a type, a word, a number, a placeholder or the name of where it is kept. */
export function isSecretValue(written: string, { isQuoted, mayBeWord }: Written): boolean {
  // A longer one is judged by its beginning, so that this takes the same time for any text.
  const value = written.slice(0, 300).replace(/(?:[?!.:,;]|\\[nrt]){1,3}$/, '');
  if (value.length < 6 || REFERENCE.test(value) || FILLER.test(value) || NUMBER.test(value)) return false;
  if (!isQuoted && (CODE.test(value) || MEMBER.test(value))) return false;
  if (NAME.test(value)) return false;
  if (WORDS.test(value))
    return mayBeWord && value.length >= 8 && !CAMEL.test(value) && !PLAIN_WORD.test(value);
  return !value.split(/[-_./:+@ ]+/).every((piece) => TECHNICAL.test(piece));
}
