import fc from 'fast-check'

/** A string's text between quotes: any escapes, raw or escaped non-ASCII, lone surrogates, raw control characters. */
const rawString = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'b', ' ', 'ü', '漢', '😀', '\u2028', '\u007F', '/', '\uFFFD'),
      fc.constantFrom('\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t'),
      fc.constantFrom('\\u0000', '\\u001f', '\\u001F', '\\u00fc', '\\u00FC', '\\ud83d\\ude00', '\\ud800', '\\uDC00'),
      fc.constantFrom('\u0001', '\t'),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const space = fc.constantFrom('', '', '', ' ', '\n  ', '\t', '\r\n')

const number = fc.oneof(
  fc.constantFrom('0', '-0', '0.0', '75.0', '1e5', '1E+5', '-1.50', '9007199254740993', '0.30000000000000004', '1e400'),
  fc.integer().map(String),
)

const key = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'a/b', '~', '~2', '', '__proto__', 'constructor', '0'),
  rawString.filter((raw) => raw.length < 12),
)

const { value } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    number,
    fc.constantFrom('null', 'true', 'false'),
    rawString.map((raw) => `"${raw}"`),
    tie('array'),
    tie('object'),
  ),
  array: fc
    .tuple(fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 }), space)
    .map(([items, inner]) => (items.length === 0 ? `[${inner}]` : `[${items.map((item) => item.join('')).join(',')}]`)),
  object: objectOf(tie('value')),
}))

function objectOf(member: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(space, key, space, space, member, space), { maxLength: 5 }), space)
    .map(([members, inner]) => {
      if (members.length === 0) return `{${inner}}`
      return `{${members.map(([a, name, b, c, text, d]) => `${a}"${name}"${b}:${c}${text}${d}`).join(',')}}`
    })
}

/** JSON text of any value, or of an object. */
export const jsonText = (kind: 'any' | 'object'): fc.Arbitrary<string> => (kind === 'any' ? value : objectOf(value))

export { space as jsonSpace }
