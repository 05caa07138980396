/** A kind of secret that a place in a text shows. */
interface Place {
  /** Every such place begins with one of these, in lower case. */
  readonly words: readonly string[]
  /**
   * Matches from the word on; the text behind the first group is the secret. No pattern repeats a repetition, so
   * hostile text takes linear time.
   */
  readonly pattern: RegExp
}

const UNMASKED = String.raw`(?!\[REDACTED\])`
const FLAG_VALUE = String.raw`(?:(?<=")[^"\n]+|(?<=')[^'\n]+|[^\s"'\\|;&]+)`

/** The value of a one-letter flag, within the command's own lines. */
const flag = (words: string, names: string, flags: string, gap: string): Place => ({
  words: words.split('|'),
  pattern: new RegExp(
    String.raw`(\b(?:${names})\b(?:[^\n|;]|(?<=\\)\n){0,300}?\s(?:${flags})${gap}["']?)${UNMASKED}(?!-)${FLAG_VALUE}`,
    'y',
  ),
})

export const PLACES: readonly Place[] = [
  {
    words: ['-----begin '],
    pattern:
      /()-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/y,
  },
  // Bearer tokens contain digits; the words that follow "bearer" in prose do not.
  { words: ['bearer '], pattern: /(bearer\s{1,4})(?=[A-Za-z._~+/=-]{0,200}\d)[\w.~+/=-]{8,}/iy },
  // Base64, in which words are rare
  { words: ['basic '], pattern: /([Bb](?:asic|ASIC) )(?=[a-z]{0,200}[\dA-Z+/=])[A-Za-z\d+/]{11,}={0,2}(?![\w-])/y },
  // User and password in a URL, but not a port before a query; or a key instead of a user
  {
    words: ['://'],
    pattern:
      /(:\/\/)(?!\$?\{|<)(?:[^\s/:@?#"'\\]{0,128}:(?!\d{1,5}[?#])[^\s/"'\\]{1,256}(?=@)|(?=[\w-]{0,60}\d)[\w-]{20,80}(?=@)|[^\s/:@?#"'\\]{1,128}:[^\s"'\\@?&<>()]{1,128}(?=@[\w-]))/y,
  },
  // Webhooks, whose path is the secret
  {
    words: ['hooks.slack', '/api/webhooks/', '/webhookb2/', 'hooks.zapier.com/'],
    pattern:
      /((?:hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)|\/api\/webhooks|\/webhookb2|hooks\.zapier\.com\/hooks\/catch)\/)(?!\[REDACTED\])[\w/@-]{12,}/iy,
  },
  flag('curl|wget|http|xh', 'curl|wget|https?(?!:)|xhs?', '-u|--user|-a|--auth', String.raw`[\s=]{0,4}`),
  // MySQL's clients ask for a password if it is not attached.
  flag('mysql|mariadb', String.raw`mysql\w{0,12}|mariadb(?:-\w{1,12})?`, '-p', ''),
  flag('sshpass', 'sshpass', '-p', String.raw`\s{0,4}`),
  flag(
    'docker login|podman login|registry login|oc login|az login|nerdctl login|skopeo login|mongo',
    String.raw`(?:docker|podman|registry|oc|az|nerdctl|skopeo) login|mongo\w{0,8}`,
    '-p',
    ' {1,4}',
  ),
  flag('redis-cli|valkey-cli', '(?:redis|valkey)-cli', '-a', ' {1,4}'),
  flag('ldap', String.raw`ldap(?:search|add|modify|delete|whoami|passwd)`, '-w', ' {1,4}'),
  flag('zip', '(?:un)?zip', '-P', ' {0,4}'),
  flag('7z', '7z[azr]?', '-p', ''),
  {
    words: ['<input'],
    pattern: /(<input\b(?=[^<>]{0,500}\btype=["']?password)[^<>]{0,500}?\bvalue=["'])(?!\[REDACTED\])[^"']+/iy,
  },
  { words: ['identified'], pattern: /(identified\s{1,4}by\s{1,4}')(?!\[REDACTED\])[^']+(?=')/iy },
]

/** Email addresses. */
export const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g

/** Phone numbers: international numbers, and North American numbers in their usual formats. */
export const PHONE =
  /(?<![\w.+-])(?:(?:\+|00)[1-9][\d ()./-]{6,18}\d|(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4})(?![\w-])/g
