import { WORDS } from './secret-names.js'
import { hasToken } from './tokens.js'
import { wordSearch } from './word-search.js'

// In lower case, which is faster than a pattern that ignores case
const SIGNS = new RegExp(
  String.raw`${WORDS}|pwd|pass(?!e|i|a|port|\s[a-z])|token(?!s)|auth(?!or(?!iz)|enti)|jwt|ssn|cv[vc]|pin(?![a-z])|otp(?![a-z])|csrf|xsrf|curl|https? -|xhs? -|mysql|mariadb|sshpass|(?:docker|podman|registry|oc|az|nerdctl|skopeo) login|mongo|(?:redis|valkey)-cli|ldap|zip -|7z[azr]? |identified\s+by|[?&](?:sig|x-|key|code)|\\u00|private key|bearer|webhook|hooks\.slack`,
)
const USER_IN_URL = /[^\s/]{0,400}@/y

/** Each sign contains one of these hints, so only the text around a hint is compared with the signs. */
const HINTS = String.raw`pass|secret|credential|auth|cookie|key|token|social|card|pin|pwd|jwt|ssn|cvv|cvc|otp|csrf|xsrf|kennwort|contrase|senha|密码|口令|密钥|パスワード|curl|http -|https -|xh -|xhs -|mysql|mariadb|login|mongo|-cli|ldap|zip -|7z|identified|?sig|&sig|?x-|&x-|?code|&code|\u00|bearer|webhook|hooks.slack|://`
const eachHint = wordSearch(HINTS.split('|'))

/** The largest number of characters of a sign before and after the end of its hint. */
const BEFORE = 20
const AFTER = 20

/** Whether the built-in patterns could match a text. Most texts need no further search. */
export function isSuspicious(text: string): boolean {
  return eachHint(text, (end) => hasSign(text, end)) || hasToken(text)
}

function hasSign(text: string, end: number): boolean {
  if (text.endsWith('://', end)) {
    USER_IN_URL.lastIndex = end
    return USER_IN_URL.test(text)
  }
  return SIGNS.test(text.slice(Math.max(0, end - BEFORE), end + AFTER).toLowerCase())
}
