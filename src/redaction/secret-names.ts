/** Words that name a secret anywhere in a key: `dbPassword`, `x-api-key`, `http.request.header.set-cookie`. */
export const WORDS = [
  'passw(?:or)?[dt]',
  'pass(?:phrase|code)',
  'mysql_pwd',
  'secret(?!ary)',
  'credential',
  'authorization(?!_(?:endpoint|server|url))',
  'cookie',
  '(?:api|app|private|access|account|master|client|storage|license|subscription|signing|encryption|shared)[._ -]?key',
  '(?:access|refresh|id|auth|api|bearer|session|csrf|xsrf|security|bot|sas)[._ -]?token',
  'social[._ -]?security',
  '(?:credit|debit)[._ -]?card',
  'card[._ -]?(?:number|num|no)(?![a-z])',
  'pin[._ -]?code',
  // In German, French, Spanish, Portuguese, Chinese and Japanese
  'kennwort|mot de passe|contrase[ñn]a|senha(?![a-z])|密码|口令|密钥|パスワード',
].join('|')

/** Tokens, except positions in a list and pieces of text. */
export const TOKEN = '(?<!(?:page|next|continuation|cursor|sync|stop|eos|bos|pad)[._ -]?)token'

/** Keys whose values are secrets. */
export const SECRET_KEYS: readonly RegExp[] = [
  new RegExp(`${WORDS}|(?:^|[._ -])(?:pwd|pass|${TOKEN}|auth|jwt|ssn|cvv|cvc|pin|otp|csrf|xsrf)$`, 'i'),
  /[a-z\d](?:Pwd|Pass|(?<!(?:[Pp]age|[Nn]ext|[Cc]ontinuation|[Cc]ursor|[Ss]ync|[Ss]top|[Ee]os|[Bb]os|[Pp]ad))Token|Auth|Jwt|Ssn|Cvv|Cvc|Pin|Otp)$/,
]

/** Labels of several words that name a secret, such as "Repeat your password *": the name comes last. */
export const SECRET_LABEL = new RegExp(
  String.raw`^.{0,60}(?!cookie)(?:${WORDS}|\b(?:pwd|pass|token|otp))s?(?:\s(?:field|input|box|again|confirmation|\(.{0,20}\)))?[\s:*?!.]{0,4}$`,
  'i',
)
