import { ERROR_TEXT } from '../../mapping/index.js'
import { ATTR } from '../../semconv/index.js'
import { listLiteral } from './literals.js'

const ERROR_KEYS = ERROR_TEXT.filter((place) => typeof place === 'string')

/** The attributes of which any span tells something. */
export const TOLD_KEYS = [...ERROR_KEYS, ATTR.agentName, ATTR.errorType]

/** What the error of a span said, '' without one. */
export const ERROR_SAID = `if(Failed, arrayFirst(told -> told != '', arrayPushBack(arrayMap(key -> Facts[key], ${listLiteral(ERROR_KEYS)}), StatusMessage)), '')`
