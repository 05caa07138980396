import {
  FAILURES,
  KIND_RULES,
  MARKERS as KIND_MARKERS,
  type KindRule,
  LOGFIRE,
  NAME,
  SCOPE,
} from '../../mapping/index.js'
import { alternatives, listLiteral, literal, patternOf } from './literals.js'

/** Of each rule an attribute that it needs; a rule without one goes by names alone. */
const NEEDED = KIND_RULES.map(({ when }) => Object.keys(when).find((key) => key !== NAME && key !== SCOPE))

/** The attributes of which a span has one that a rule takes up. */
const MARKERS = [...new Set(NEEDED.filter((key) => key !== undefined))]

const BY_NAME = alternatives(
  KIND_RULES.flatMap(({ when }, index) => (NEEDED[index] === undefined ? (when[NAME] ?? []) : [])),
)

/**
 * Whether a span of `otel_traces` may be another instrumentation's, which has no role by itself: asked first, in this
 * order, since it keeps all else away from planspan's own spans and from those of no agent. A log that Logfire sends as
 * a span is none.
 */
export const MAY_BE_FOREIGN = [
  `Role = ''`,
  `(hasAny(mapKeys(SpanAttributes), ${listLiteral(MARKERS)}) OR match(SpanName, ${literal(BY_NAME)}))`,
  `SpanAttributes['${LOGFIRE.type}'] != '${LOGFIRE.log}'`,
].join(' AND ')

/** Whether the mapping might take up what a span of `otel_traces` tells, or miss something of it. */
export const LOOKS_FOREIGN = `Role = '' AND (hasAny(mapKeys(SpanAttributes), ${listLiteral([...new Set([...MARKERS, ...KIND_MARKERS])])}) OR match(SpanName, ${literal(BY_NAME)}))`

/** The attributes that rules ask for. */
export const RULE_KEYS = [
  ...new Set([
    ...KIND_RULES.flatMap(({ when }) => Object.keys(when).filter((key) => key !== NAME && key !== SCOPE)),
    ...Object.keys(FAILURES),
  ]),
]

/** What rules ask of a span, as one text: a line for each of its `Facts` in their names' order, then scope and name. */
export const LINES =
  `concat(arrayStringConcat(arraySort(arrayMap((key, value) -> concat('\\t', key, '=', value, '\\n'), ` +
  `mapKeys(Facts), mapValues(Facts)))), '\\t${SCOPE}=', ScopeName, '\\n\\t${NAME}=', SpanName, '\\n')`

/**
 * The number of the first rule that holds, from 1; 0 for none. All rules are asked at once, each as an expression over
 * `Lines`.
 */
export const RULE = `toUInt16(arrayMin(multiMatchAllIndices(Lines, ${listLiteral(KIND_RULES.map(expressionOf))})))`

function expressionOf({ when }: KindRule): string {
  const last = (key: string) => [SCOPE, NAME].indexOf(key)
  const lines = Object.entries(when)
    .sort(([a], [b]) => last(a) - last(b) || (a < b ? -1 : 1))
    .map(([key, expected]) => lineOf(key, expected))
  const ignoresCase = Object.values(when).some((expected) => expected instanceof RegExp && expected.ignoreCase)
  return `(?${ignoresCase ? 'i' : ''}-s)${lines.join('(?:.|\\n)*')}`
}

function lineOf(key: string, expected: string | RegExp): string {
  return `\\t${key.replaceAll('.', '\\.')}=${patternOf(expected)}`
}

const ofRule = (value: (rule: KindRule) => string): string => `${listLiteral(KIND_RULES.map(value))}[Rule]`

export const CONVENTION = ofRule(({ convention }) => convention)
export const KIND = ofRule(({ kind }) => kind)

/** Whether an attribute in `Lines` says that the span failed. */
export const SAYS_FAILED = `match(Lines, ${literal(
  `(?-s)(?:${Object.entries(FAILURES)
    .map(([key, expected]) => lineOf(key, expected))
    .join('|')})`,
)})`
