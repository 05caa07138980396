import type { Rule } from './rule.js'

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
