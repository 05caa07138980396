import { WORDS } from './secret-names.js'
import { hasToken } from './tokens.js'

// In lower case, which is faster than a pattern that ignores case
const SIGNS = new RegExp(
  String.raw`${WORDS}|pwd|pass(?!e|i|a|port|\s[a-z])|token(?!s)|auth(?!or(?!iz)|enti)|jwt|ssn|cv[vc]|pin(?![a-z])|otp(?![a-z])|csrf|xsrf|curl|https? -|xhs? -|mysql|mariadb|sshpass|(?:docker|podman|registry|oc|az|nerdctl|skopeo) login|mongo|(?:redis|valkey)-cli|ldap|zip -|7z[azr]? |identified\s+by|[?&](?:sig|x-|key|code)|\\u00|private key|bearer|webhook|hooks\.slack|:\/\/[^\s/]{0,400}@`,
)

/** Whether the built-in patterns could find something in a text, which most texts are spared otherwise. */
export function isSuspicious(text: string): boolean {
  return SIGNS.test(text.toLowerCase()) || hasToken(text)
}
