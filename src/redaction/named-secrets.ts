import { type Rule, UNMASKED } from './rule.js'
import { TOKEN, WORDS } from './secret-names.js'

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
