import { INPUT } from '../../mapping/index.js'
import { listLiteral, literal } from './literals.js'

const TEXT = /"(?:content|text|task|prompt|query|input)"\s*:\s*"((?:[^"\\]|\\.)*)"/
const ANY_TEXT = literal(TEXT.source)
const OF_USER = literal(`(?s)"role"\\s*:\\s*"user".*?${TEXT.source}`)

/** What an agent or plan was given, as `SpanAttributes` tell it. */
export const INPUT_TEXT = `arrayFirst(told -> told != '', arrayMap(key -> SpanAttributes[key], ${listLiteral(
  INPUT.filter((place) => typeof place === 'string'),
)}))`

/**
 * Of what an agent or plan was given, as `Input`, what people read: text as it is, of JSON what a user said in it
 * first, else its last text. At most 500 characters.
 */
export const REQUEST =
  `substringUTF8(if(match(Input, '^\\\\s*[\\\\[{]'), JSONExtractString(concat('"', ` +
  `arrayFirst(said -> said != '', [extract(Input, ${OF_USER}), extractAll(Input, ${ANY_TEXT})[-1]]), '"')), Input), 1, 500)`
