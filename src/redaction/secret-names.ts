import { remembered } from './remembered.js'
import { isUuid, looksRandom } from './secret-values.js'
import { VENDOR_NAMES } from './vendor-formats.js'

/** What a name says about its value: it is a secret, or it is one if it looks random. */
export type Naming = 'secret' | 'key'

/** Parts of a name's words that name a secret wherever they stand: `db_password`, `x_api_key`, `set_cookie`. */
const ANYWHERE = [
  'passw(?:or)?[dt]|passwd|pass_?(?:phrase|code)|mysql_pwd',
  'secret(?!ar)|credential|authorization|cookie(?!cutter|_?policy)|mnemonic',
  '(?:api|app|private|access|account|master|client|storage|license|subscription|signing|encryption|shared|auth|service|deploy|admin|server|license)_?key',
  '(?:access|refresh|id|auth|api|bearer|session|csrf|xsrf|security|bot|sas)_?token',
  'social_?security|(?:credit|debit)_?card|card_?(?:number|num|no)(?![a-z])|pin_?code|one_?time_?(?:code|pass)',
  // In German, French, Spanish, Portuguese, Chinese and Japanese
  'kennwort|mot_de_passe|contrase[ñn]a|senha(?![a-z])|密码|口令|密钥|パスワード',
]

/** Words that name a secret at the end of a name. Positions in a list and pieces of text are tokens, too. */
const LAST =
  '(?<!(?:page|next|prev|previous|continuation|cursor|sync|stop|eos|bos|pad|unk|mask|sep|cls|start|end|special|first|last|max|min|num|per|total|input|output|prompt|completion|cached|reasoning|deduplication|dedup|invalid|unexpected|expected)_?)token' +
  '|(?:^|_)(?:pwd|pw|pass|auth|jwt|ssn|cvv|cvc|pin|otp|csrf|xsrf)|(?:db|user|root|admin|my)(?:pwd|pw|pass)|pgpass'

/** Additions that don't change what a name names. */
const ADDED =
  '(?:_(?:value|string|str|text|data|base|base64|b64|raw|env|var|prod|production|dev|staging|test|live|sandbox|new|old|current|default|primary|secondary|main|backup|secure|hash|sec|[a-z]?\\d+))*'

/** Names that describe a secret instead of containing it. */
const DESCRIBING =
  /_(?:length|len|count|size|name|names|type|types|url|uri|urls|endpoint|field|fields|label|policy|expir\w*|expires_in|ttl|days|path|file|filename|dir|min|max|strength|required|enabled|valid|is_valid|error|errors|message|manager|provider|store|service|placeholder|hint|prefix|format|regex|pattern|rotation|version|mode|method|usage|limit|budget|ratio|per_second|server|domain|jar|consent|banner|options|config|settings|confirmed|present|exists|status|list|class|schema|scheme|scheme_name|reset|input)$/

const SECRET = new RegExp(`(?:${ANYWHERE.join('|')})|(?:${LAST})${ADDED}$`)

/** Names whose values are secrets if they look random: `OPENAI_KEY`, `GITHUB_PAT`, `SONAR_LOGIN`. */
const KEY = new RegExp(
  `(?<!(?:public|pub|cache|idempotency|dedup|deduplication|partition|primary|foreign|sort|object|row|index|routing)_?)(?:keys?|(?:^|_)(?:pat|sas|sid|sig|signature|code|login|session|hmac|salt|seed|tok|apikeys|tokens))${ADDED}$`,
)

const VENDORS: ReadonlySet<string> = new Set(VENDOR_NAMES.split(' '))
const LONGEST_NAME = 128

/** Which naming a name has, by its words: `githubToken`, `GITHUB_TOKEN` and `github-token` are one name. */
export const namingOf = remembered((name: string): Naming | undefined => {
  const words = wordsOf(name)
  if (DESCRIBING.test(words)) return undefined
  if (SECRET.test(words)) return 'secret'
  return KEY.test(words) || VENDORS.has(words.replaceAll('_', '')) ? 'key' : undefined
})

/** The words of a name in lower case, separated by underscores. */
const wordsOf = (name: string): string =>
  name
    .slice(-LONGEST_NAME)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')

/** Whether a value is the secret of a name that needs a random value. A UUID under `key` is an id. */
export const isSecretUnder = (name: string, value: string): boolean =>
  isUuid(value) ? /[a-z\d][._ -]?(?:key|token)s?$/i.test(name) && !/^\W{0,2}key$/i.test(name) : looksRandom(value)

const LABEL = new RegExp(`(?:${ANYWHERE.join('|')})s?$|_(?:pwd|pass|token|otp)$`)

/** Whether a label of several words names a secret, such as "Repeat your password *": the name comes last. */
export function isSecretLabel(label: string): boolean {
  if (!/\s/.test(label)) return namingOf(label) === 'secret'
  if (label.length > 120 || /cookie/i.test(label)) return false
  const name = label.replace(
    /\s(?:fields?|input|box|again|confirmation|\([^()]{0,20}\))?[\s:*?!.]{0,4}$|[\s:*?!.]{1,4}$/i,
    '',
  )
  const words = wordsOf(name)
  return LABEL.test(words)
}

/** The words with which a search finds names; the second are only those at the end of a name's word. */
export const NAME_WORDS: Readonly<Record<string, 'part' | 'end'>> = {
  ...Object.fromEntries(
    'passw passphrase passcode pass_phrase secret credential authorization cookie mnemonic security card kennwort passe contrase senha 密码 口令 密钥 パスワード'
      .split(' ')
      .map((word) => [word, 'part' as const]),
  ),
  ...Object.fromEntries(
    'token key keys tokens pwd pw pass auth jwt ssn cvv cvc pin otp csrf xsrf pat sas sid sig signature code login session hmac salt seed tok'
      .split(' ')
      .concat(VENDOR_NAMES.split(' '))
      .map((word) => [word, 'end' as const]),
  ),
}
