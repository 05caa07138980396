/** What stands in a masked value's place. */
export const MARKER = '[REDACTED]'

// Words that name a secret wherever they stand in a key: `dbPassword`, `x-api-key`, `http.request.header.set-cookie`.
const WORDS = [
  'passw(?:or)?d',
  'passphrase',
  'mysql_pwd',
  'secret(?!ary)',
  'credential',
  'authorization',
  'cookie',
  '(?:api|private|access|account|signing|encryption|shared)[._ -]?key',
  '(?:access|refresh|id|auth|api|bearer|session|csrf|xsrf|security|bot|sas)[._ -]?token',
  'social[._ -]?security',
  'credit[._ -]?card',
]

/** Keys whose values are secrets. */
export const SECRET_KEY = new RegExp(
  `${WORDS.join('|')}|(?:^|[._ -])(?:pwd|pass|token|auth|jwt|ssn|cvv|csrf|xsrf)$`,
  'i',
)

/**
 * Values that are secrets by their looks. No pattern can start inside what it consumes, so that a hostile text costs
 * linear time.
 */
export const SECRET_VALUES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  // JSON Web Tokens
  /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g,
  // AWS
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  // Google
  /(?<![\w-])(?:AIza[\w-]{35}|ya29\.[\w-]{20,})/g,
  // GitHub, GitLab, npm, PyPI, Hugging Face
  /(?<![\w-])(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}|glpat-[\w-]{20,}|npm_[A-Za-z0-9]{36}|pypi-[\w-]{50,}|hf_[A-Za-z0-9]{30,})/g,
  // Slack, OpenAI, Anthropic, Stripe, SendGrid
  /(?<![\w-])(?:xox[abeoprs]-[\w-]{10,}|sk-[\w-]{20,}|[spr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}|SG\.[\w-]{16,}\.[\w-]{16,})/g,
  // Bearer tokens hold digits, the words that follow "bearer" in prose do not.
  /(?<=\bbearer\s{1,4})(?=[A-Za-z._~+/=-]{0,200}\d)[\w.~+/=-]{8,}/gi,
  // User and password in a URL
  /(?<=:\/\/)[^\s/:@"'\\]{0,128}:[^\s/@"'\\]{1,256}(?=@)/g,
]

const QUOTE = String.raw`(?:\\{0,8}["'])?`
const VALUE = String.raw`(?:(?<=\\{0,8}")[^"\\]+|(?<=\\{0,8}')[^'\\]+|(?:(?:bearer|basic|digest|token)\s{1,4})?[^\s"'\\,;&<>(){}\[\]]+)`

/** Secrets that are named in running text: `password=…`, `"api_key": "…"`, `Authorization: Basic …`. */
export const NAMED_SECRET = new RegExp(
  String.raw`((?:(?:${WORDS.join('|')})s?|(?<!\w)(?:pwd|token|jwt))${QUOTE}\s{0,8}[:=]\s{0,8}${QUOTE})(?!\[REDACTED\])(${VALUE})`,
  'gi',
)

/** Secrets behind a flag of a command line: `--api-key …`. */
export const FLAG_SECRET = new RegExp(
  String.raw`((?<![\w-])--?[\w-]{0,40}(?:${WORDS.join('|')}|token)[\w-]{0,20}\s{1,4}["']?)(?!\[REDACTED\]|-)[^\s"'\\]+`,
  'gi',
)

/** Cookies go to the end of their line. */
export const COOKIE_HEADER = /((?:set-)?cookie["']?\s{0,8}:\s{0,8}["']?)(?!\[REDACTED\])[^\r\n"'\\]+/gi

/** A text that does not match holds nothing that the built-in patterns could find. */
export const SUSPICIOUS = new RegExp(
  String.raw`${WORDS.join('|')}|pwd|pass|token|auth|jwt|ssn|cvv|csrf|xsrf|\\u00|PRIVATE KEY|eyJ|A(?:KIA|SIA|ROA|IDA|BIA|CCA)|AIza|ya29|gh[pousr]_|github_pat|glpat-|npm_|pypi-|hf_|xox|sk-|[spr]k_|whsec|SG\.|bearer|:\/\/`,
  'i',
)
