/** The replacement of a masked value. */
export const MARKER = '[REDACTED]'

// Words that name a secret anywhere in a key: `dbPassword`, `x-api-key`, `http.request.header.set-cookie`.
const WORDS = [
  'passw(?:or)?d',
  'pass(?:phrase|code)',
  'mysql_pwd',
  'secret(?!ary)',
  'credential',
  'authorization(?!_(?:endpoint|server|url))',
  'cookie',
  '(?:api|app|private|access|account|master|client|storage|subscription|signing|encryption|shared)[._ -]?key',
  '(?:access|refresh|id|auth|api|bearer|session|csrf|xsrf|security|bot|sas)[._ -]?token',
  'social[._ -]?security',
  'credit[._ -]?card',
].join('|')

// Not the tokens that are positions in a list or pieces of text.
const TOKEN = '(?<!(?:page|next|continuation|cursor|sync|stop|eos|bos|pad)[._ -]?)token'

/** Keys whose values are secrets. */
export const SECRET_KEYS: readonly RegExp[] = [
  new RegExp(`${WORDS}|(?:^|[._ -])(?:pwd|pass|${TOKEN}|auth|jwt|ssn|cvv|otp|csrf|xsrf)$`, 'i'),
  /[a-z\d](?:Pwd|Pass|(?<!(?:[Pp]age|[Nn]ext|[Cc]ontinuation|[Cc]ursor|[Ss]ync|[Ss]top|[Ee]os|[Bb]os|[Pp]ad))Token|Auth|Jwt|Ssn|Cvv|Otp)$/,
]

/** Labels of several words whose values are secrets, such as "Repeat your password *": the name comes last. */
export const SECRET_LABEL = new RegExp(
  String.raw`^.{0,60}(?!cookie)(?:${WORDS}|\b(?:pwd|pass|token|otp))s?(?:\s(?:field|input|box|again|confirmation|\(.{0,20}\)))?[\s:*?!.]{0,4}$`,
  'i',
)

/**
 * Values that are recognizable as secrets. No pattern can start inside its own match, so a hostile text costs linear
 * time.
 */
export const SECRET_VALUES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  // JSON Web Tokens
  /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g,
  // AWS
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  // Google
  /(?<![\w-])(?:AIza[\w-]{35}|ya29\.[\w-]{20,})/g,
  // GitHub, GitLab, npm, PyPI, Hugging Face
  /(?<![\w-])(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}|glpat-[\w-]{20,}|npm_[A-Za-z0-9]{36}|pypi-[\w-]{50,}|hf_[A-Za-z0-9]{30,})/g,
  // Slack, OpenAI (CSS classes have no digits), Anthropic, Stripe, SendGrid
  /(?<![\w-])(?:xox[abeoprs]-[\w-]{10,}|sk-(?=[\w-]{0,200}\d)[\w-]{20,}|[spr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}|SG\.[\w-]{16,}\.[\w-]{16,})/g,
  // Bearer tokens contain digits; the words that follow "bearer" in prose do not.
  /(?<=\bbearer\s{1,4})(?=[A-Za-z._~+/=-]{0,200}\d)[\w.~+/=-]{8,}/gi,
  // User and password in a URL, but not a port before a query
  /(?<=:\/\/)[^\s/:@?#"'\\]{0,128}:(?!\d{1,5}[?#])[^\s/"'\\]{1,256}(?=@)/g,
]

const QUOTE = String.raw`(?:\\{0,8}["'])?`
const UNMASKED = String.raw`(?!\[REDACTED\])`
const BARE = String.raw`[^\s"'\\,;&<>(){}\[\]]+`
const VALUE = [
  String.raw`(?<=(?<!\\)")(?:[^"\\]|\\.)+|(?<=(?<!\\)')(?:[^'\\]|\\.)+`,
  String.raw`(?<=\\{1,8}")[^"\\]+|(?<=\\{1,8}')[^'\\]+`,
  String.raw`(?:(?:bearer|basic|digest|token)\s{1,4})?${BARE}`,
].join('|')
const NAME = [
  String.raw`(?:${WORDS})s?(?:[._-]?(?:key|base|value|token|hash)){0,2}`,
  String.raw`(?<![a-z\d])(?:pwd|${TOKEN}|jwt)|(?<=[a-z\d]_)(?:pass|auth)`,
].join('|')

/** Secrets that are named in running text. The first group is kept, the rest is masked. */
export const NAMED_SECRETS: readonly RegExp[] = [
  // Cookies extend to the end of the line.
  /((?:set-)?cookie["']?\s{0,8}:\s{0,8}["']?)(?!\[REDACTED\])[^\r\n"'\\]+/gi,
  // `Authorization: Negotiate …`, `Authorization: Digest a=…, b=…`
  new RegExp(
    String.raw`(authorization\s{0,8}[:=]\s{0,8})${UNMASKED}(?:[a-z][\w-]{0,30}\s{1,4})?(?:\[REDACTED\]|${BARE})(?:,\s{0,2}[\w-]{1,30}=[^\s,"'\\]+){0,10}`,
    'gi',
  ),
  // `password=…`, `"api_key": "…"`, `GITHUB_TOKEN=…`, `[password] => …`
  new RegExp(String.raw`((?:${NAME})${QUOTE}\]?\s{0,8}(?::|={1,3}>?)\s{0,8}${QUOTE})${UNMASKED}(?:${VALUE})`, 'gi'),
  // `--api-key …`
  new RegExp(
    String.raw`((?<![\w-])--?[\w-]{0,40}(?:${WORDS}|token)[\w-]{0,20}\s{1,4}["']?)(?!\[REDACTED\]|-)[^\s"'\\]+`,
    'gi',
  ),
  /(\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[\s=]{1,4}["']?)(?!\[REDACTED\])[^\s"'\\]+/gi,
  // `<password>…</password>`, `<input type="password" value="…">`
  new RegExp(String.raw`(<[\w.:-]{0,60}(?:${WORDS}|pwd|token)[\w.-]{0,20}>)${UNMASKED}[^<]{1,2000}(?=<\/)`, 'gi'),
  /(<input\b(?=[^<>]{0,500}\btype=["']?password)[^<>]{0,500}?\bvalue=["'])(?!\[REDACTED\])[^"']+/gi,
  // `ALTER USER … PASSWORD '…'`
  /((?:password|identified\s{1,4}by)\s{1,4}')(?!\[REDACTED\])[^']+(?=')/gi,
  // Signed URLs of AWS, Google and Azure
  /([?&](?:sig|signature|x-(?:amz|goog)-signature)=)(?!\[REDACTED\])[^&\s"'\\#<>]+/gi,
]

/** Matches every text in which the built-in patterns could find something. */
export const SUSPICIOUS = new RegExp(
  String.raw`${WORDS}|pwd|pass|token|auth|jwt|ssn|cvv|otp(?![a-z])|csrf|xsrf|curl|identified\s+by|[?&]sig|\\u00|PRIVATE KEY|eyJ|A(?:KIA|SIA|ROA|IDA|BIA|CCA)|AIza|ya29|gh[pousr]_|github_pat|glpat-|npm_|pypi-|hf_|xox|sk-|[spr]k_|whsec|SG\.|bearer|:\/\/`,
  'i',
)
