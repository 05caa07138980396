/**
 * Parses the longest Python literal at the beginning of a text: dicts, lists, tuples, texts, numbers, True, False and
 * None. Undefined if the text begins with anything else, such as a call.
 */
export function pythonLiteral(text: string): unknown {
  const json = asJson(text)
  try {
    return json === undefined ? undefined : (JSON.parse(json) as unknown)
  } catch {
    return undefined
  }
}

const TOKEN =
  /\s*(?:(?<open>[[{(])|(?<close>[\]})])|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<word>True|False|None)\b|(?<rest>-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|[,:]))/sy

const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' }
const BRACKETS: Readonly<Record<string, string>> = { '(': '[', ')': ']' }

/** Converts the literal token by token, up to the end of the outermost bracket, or of a single value. */
function asJson(text: string): string | undefined {
  const token = new RegExp(TOKEN)
  let json = ''
  let depth = 0
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { open, close, text: quoted, word, rest } = found.groups ?? {}
    const bracket = open ?? close
    if (bracket !== undefined) {
      depth += open === undefined ? -1 : 1
      // A tuple of one value ends with a comma, as lists may.
      json = (open === undefined ? json.replace(/,$/, '') : json) + (BRACKETS[bracket] ?? bracket)
    } else json += quoted === undefined ? (word === undefined ? (rest ?? '') : (WORDS[word] ?? '')) : textAsJson(quoted)
    if (depth <= 0) return json
  }
  return undefined
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

const textAsJson = (quoted: string): string =>
  JSON.stringify(
    quoted
      .slice(1, -1)
      .replaceAll(
        /\\(?:x(?<hex>[\da-f]{2})|u(?<unit>[\da-f]{4})|(?<one>.))/gis,
        (_, hex?: string, unit?: string, one = '') =>
          (hex ?? unit) === undefined
            ? (ESCAPES[one] ?? one)
            : String.fromCharCode(Number.parseInt((hex ?? unit) as string, 16)),
      ),
  )
