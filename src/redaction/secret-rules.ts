import { TOKEN, WORDS } from './secret-names.js'

/** A kind of secret in running text. */
interface Rule {
  /** Every text with this secret contains at least one of these, in lower case. Searching for them is cheap. */
  readonly signs: readonly string[]
  /** No pattern can start inside its own match, so hostile text takes linear time. */
  readonly pattern: RegExp
  /** Whether the first group is kept and only the rest masked. */
  readonly keepsFirst?: boolean
}

/** In a pattern: what follows is not masked yet. */
const UNMASKED = String.raw`(?!\[REDACTED\])`

/** The replacement of a masked value. */
export const MARKER = '[REDACTED]'

/** Values that are recognizable as secrets. */
export const SECRET_VALUES: readonly Rule[] = [
  {
    signs: ['private key'],
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  // Bearer tokens contain digits; the words that follow "bearer" in prose do not.
  { signs: ['bearer'], pattern: /(?<=\bbearer\s{1,4})(?=[A-Za-z._~+/=-]{0,200}\d)[\w.~+/=-]{8,}/gi },
  // User and password in a URL, but not a port before a query
  { signs: ['://'], pattern: /(?<=:\/\/)[^\s/:@?#"'\\]{0,128}:(?!\d{1,5}[?#])[^\s/"'\\]{1,256}(?=@)/g },
  // Webhooks, whose path is the secret
  {
    signs: ['hooks.slack', 'webhook'],
    keepsFirst: true,
    pattern:
      /((?:hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|\.webhook\.office\.com\/webhookb2)\/)(?!\[REDACTED\])[\w/@-]{20,}/g,
  },
]

/** Email addresses. */
export const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g

/** Phone numbers: international numbers, and North American numbers in their usual formats. */
export const PHONE =
  /(?<![\w.+-])(?:(?:\+|00)[1-9][\d ()./-]{6,18}\d|(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4})(?![\w-])/g

const FLAG_VALUE = String.raw`(?:(?<=")[^"\n]+|(?<=')[^'\n]+|[^\s"'\\|;&]+)`

/** Matches the value of a one-letter flag, within the command's own part of the line. */
const flag = (signs: readonly string[], names: string, flags: string, gap: string): Rule => ({
  signs,
  keepsFirst: true,
  pattern: new RegExp(
    String.raw`(\b(?:${names})\b[^\n|;&]{0,300}?\s(?:${flags})${gap}["']?)${UNMASKED}(?!-)${FLAG_VALUE}`,
    'g',
  ),
})

export const COMMAND_SECRETS: readonly Rule[] = [
  flag(['curl', 'wget', 'http'], 'curl|https?(?!:)|xhs?', '-u|--user|-a|--auth', String.raw`[\s=]{1,4}`),
  // MySQL's clients ask for a password if it is not attached.
  flag(['mysql', 'mariadb'], String.raw`mysql\w{0,12}|mariadb(?:-\w{1,12})?`, '-p', ''),
  flag(['sshpass'], 'sshpass', '-p', String.raw`\s{0,4}`),
  flag(
    ['login', 'mongo'],
    String.raw`(?:docker|podman|helm registry|oc|az|nerdctl|skopeo) login|mongo\w{0,8}`,
    '-p',
    ' {1,4}',
  ),
  flag(['redis-cli', 'valkey-cli'], '(?:redis|valkey)-cli', '-a', ' {1,4}'),
  flag(['ldap'], String.raw`ldap(?:search|add|modify|delete|whoami|passwd)`, '-w', ' {1,4}'),
  flag(['zip'], '(?:un)?zip', '-P', ' {0,4}'),
  flag(['7z'], '7z[azr]?', '-p', ''),
  { signs: ['pass:'], keepsFirst: true, pattern: /(\s-pass(?:in|out)?\s{1,4}pass:)(?!\[REDACTED\])[^\s"'\\]+/g },
]

// A word that looks like a password: with a digit beside a letter, or with a special character inside
const WORD = String.raw`(?=[^\s"'\x60]{0,60}(?:[A-Za-z][^\s"'\x60\w]{0,3}\d|\d[^\s"'\x60\w]{0,3}[A-Za-z]|[\w][!@#$%^&*~][\w!@#$%^&*~]))[^\s"'\x60<>,;]{4,128}?(?=[.!?)]{0,3}(?:[\s"'\x60<>,;]|$))`
const IS = String.raw`(?:\s(?:is|are|was|to|for\s[\w.@-]{1,60}\sis|ist|est|es)(?:\snow)?:?|\s?[→=:-]>?|,)?\s{1,3}["'\x60]?`

/** Secrets in sentences: "the password is …", "use password … to log in", "PIN 1234". */
export const PROSE_SECRETS: readonly Rule[] = [
  {
    signs: ['pass', 'kennwort', 'contrase', 'senha'],
    keepsFirst: true,
    pattern: new RegExp(
      String.raw`(\b(?:pass(?:word|wort|phrase|code)|kennwort|mot de passe|contrase[ñn]a|senha)${IS})${WORD}`,
      'gi',
    ),
  },
  {
    signs: ['secret', 'key', 'token'],
    keepsFirst: true,
    pattern: new RegExp(
      String.raw`(\b(?:secret|(?:api|access|secret)\s?(?:key|token)|token)\s(?:is|was|to):?\s["'\x60]?)${WORD}`,
      'gi',
    ),
  },
  {
    signs: ['密', '口令', 'パス'],
    keepsFirst: true,
    pattern: /((?:密码|口令|密钥|パスワード)\s?(?:是|为|は|：|:)\s?["'`]?)(?!\[REDACTED\])[\w!@#$%^&*~.+-]{4,}/g,
  },
  {
    signs: ['pin'],
    keepsFirst: true,
    pattern: /(\bpin(?:[ -]?code)?["']?(?:\s(?:is|was|to))?\s?[:=]?\s?["']?)\d{4,8}(?![\w.,:-]\d|\w)/gi,
  },
]

const QUOTE = String.raw`(?:\\{0,8}["'])?`
const BARE = String.raw`[^\s"'\\,;&<>(){}\[\]]+`
const VALUE = [
  String.raw`(?<=(?<!\\)")(?:[^"\\]|\\.)+|(?<=(?<!\\)')(?:[^'\\]|\\.)+`,
  String.raw`(?<=\\{1,8}")[^"\\]+|(?<=\\{1,8}')[^'\\]+`,
  String.raw`(?:(?:bearer|basic|digest|token)\s{1,4})?${BARE}`,
].join('|')
// Code that compares with or assigns an empty value
const NOT_EMPTY = String.raw`(?!=|(?:null|undefined|none|nil|true|false)(?:[\s)}\],;&"']|$))`
const NAME = [
  String.raw`(?:${WORDS})s?(?:[._-]?(?:key|base|data|value|token|hash)){0,2}`,
  String.raw`(?<![a-z\d])(?:pwd|${TOKEN}|jwt|cvv|cvc)|(?<=[a-z\d]_)(?:pass|auth)`,
].join('|')

/** Secrets with their names before them, in code, logs, headers and markup. */
export const NAMED_SECRETS: readonly Rule[] = [
  // Cookies extend to the end of the line.
  {
    signs: ['cookie'],
    keepsFirst: true,
    pattern: /((?:set-)?cookie["']?\s{0,8}:\s{0,8}["']?)(?!\[REDACTED\])[^\r\n"'\\]+/gi,
  },
  // `Authorization: Negotiate …`, `Authorization: Digest a=…, b=…`
  {
    signs: ['authorization'],
    keepsFirst: true,
    pattern: new RegExp(
      String.raw`(authorization\s{0,8}[:=]\s{0,8})${UNMASKED}(?:[a-z][\w-]{0,30}\s{1,4})?(?:\[REDACTED\]|${BARE})(?:,\s{0,2}[\w-]{1,30}=[^\s,"'\\]+){0,10}`,
      'gi',
    ),
  },
  // `password=…`, `"api_key": "…"`, `GITHUB_TOKEN=…`, `[password] => …`
  {
    signs: [':', '='],
    keepsFirst: true,
    pattern: new RegExp(
      String.raw`((?:${NAME})${QUOTE}\]?\s{0,8}(?::|={1,3}>?)\s{0,8}${QUOTE})${UNMASKED}${NOT_EMPTY}(?:${VALUE})`,
      'gi',
    ),
  },
  // `--api-key …`
  {
    signs: [' -', '--', '"-', "'-"],
    keepsFirst: true,
    pattern: new RegExp(
      String.raw`((?<![\w-])--?[\w-]{0,40}(?:${WORDS}|token(?!s))[\w-]{0,20}\s{1,4}["']?)(?!\[REDACTED\]|-)[^\s"'\\]+`,
      'gi',
    ),
  },
  // `<password>…</password>`, `<input type="password" value="…">`
  {
    signs: ['</'],
    keepsFirst: true,
    pattern: new RegExp(
      String.raw`(<[\w.:-]{0,60}(?:${WORDS}|pwd|token)[\w.-]{0,20}>)${UNMASKED}[^<]{1,2000}(?=<\/)`,
      'gi',
    ),
  },
  {
    signs: ['<input'],
    keepsFirst: true,
    pattern: /(<input\b(?=[^<>]{0,500}\btype=["']?password)[^<>]{0,500}?\bvalue=["'])(?!\[REDACTED\])[^"']+/gi,
  },
  // `ALTER USER … PASSWORD '…'`
  {
    signs: ["password '", "password\t'", "password  '", "by '", "by\t'", "by  '"],
    keepsFirst: true,
    pattern: /((?:password|identified\s{1,4}by)\s{1,4}')(?!\[REDACTED\])[^']+(?=')/gi,
  },
  // Signed URLs of AWS, Google and Azure
  {
    signs: ['sig'],
    keepsFirst: true,
    pattern: /([?&](?:sig|signature|x-(?:amz|goog)-signature)=)(?!\[REDACTED\])[^&\s"'\\#<>]+/gi,
  },
  // `?key=…` and `?code=…`, unless it is a word, such as the name of a column
  {
    signs: ['key=', 'code='],
    keepsFirst: true,
    pattern: /([?&](?:key|code)=)(?=[^&\s"'\\#<>]{0,200}\d)[^&\s"'\\#<>]{10,}/gi,
  },
]
