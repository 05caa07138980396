import type { Rule } from './rule.js'

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
