/** Matches candidates for card numbers: digits without gaps, or grouped as on the card. */
export const CARD_SHAPE = String.raw`[2-6]\d{3}(?:\d{10,15}|([ -])(?:\d{4}\1\d{4}\1\d{4}|\d{6}\1\d{4,5}))`

// Visa, Mastercard, American Express, Discover, JCB, Diners Club, UnionPay
const ISSUED =
  /^(?:4\d{15}|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|3[47]\d{13}|(?:6011|65\d{2}|64[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|62\d{14,17})$/

/** Whether the text is a card number: an issuer's prefix and length, with a valid check digit. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '')
  return ISSUED.test(digits) && hasCheckDigit(digits)
}

/** The Luhn algorithm: every second digit from the right counts twice. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    sum += at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}
