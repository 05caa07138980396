import { INPUT, OUTPUT, type Place } from '../../mapping/index.js'
import { listLiteral, literal } from './literals.js'

const TEXT = /"(?:content|text|task|prompt|query|input)"\s*:\s*"((?:[^"\\]|\\.)*)"/
const ANY_TEXT = literal(TEXT.source)
const OF_USER = literal(`(?s)"role"\\s*:\\s*"user".*?${TEXT.source}`)

const keysOf = (places: readonly Place[]): string => listLiteral(places.filter((place) => typeof place === 'string'))

const firstTold = (places: readonly Place[]): string =>
  `arrayFirst(told -> told != '', arrayMap(key -> SpanAttributes[key], ${keysOf(places)}))`

/** Of what people and programs write, as SQL, what people read: text as it is, of JSON one of its texts. */
const readable = (written: string, text: string): string =>
  `if(match(${written}, '^\\\\s*[\\\\[{]'), JSONExtractString(concat('"', ${text}, '"')), ${written})`

/** What an agent or plan was given, as `SpanAttributes` tell it. */
export const INPUT_TEXT = firstTold(INPUT)

/**
 * Of what an agent or plan was given, as `Input`, what people read: text as it is, of JSON what a user said in it
 * first, else its last text. At most 500 characters.
 */
export const REQUEST = `substringUTF8(${readable(
  'Input',
  `arrayFirst(said -> said != '', [extract(Input, ${OF_USER}), extractAll(Input, ${ANY_TEXT})[-1]])`,
)}, 1, 500)`

/** What an agent or plan answered, as `SpanAttributes` tell it: text as it is, of JSON its last text. */
export const ANSWER = readable(`(${firstTold(OUTPUT)} AS Output)`, `extractAll(Output, ${ANY_TEXT})[-1]`)

/** The attributes that an answer is read from, as SQL. */
export const ANSWER_KEYS = keysOf(OUTPUT)
