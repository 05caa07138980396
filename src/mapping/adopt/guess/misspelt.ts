import { ATTR } from '../../../semconv/index.js'
import { MARKERS } from '../kind-rules.js'
import * as places from '../values/fact-places.js'

/** The attributes that planspan reads. */
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(ATTR),
  ...MARKERS,
  ...Object.values(places)
    .flatMap((place) => (Array.isArray(place) ? (place as readonly unknown[]) : Object.values(place).flat()))
    .filter((place) => typeof place === 'string'),
])

const bare = (key: string): string => key.replaceAll(/[._\s-]/g, '').toLowerCase()

const BARE: ReadonlyMap<string, string> = new Map([...KNOWN].map((key) => [bare(key), key]))

/** Namespaces in which an unknown key may be a misspelling. */
const NAMESPACES = /^(planspan|gen[._-]?ai|genai)[._-]/i

/** Returns the unknown keys that look like a known one, each with that key. */
export function misspelt(keys: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const key of keys) {
    const meant = KNOWN.has(key) || !NAMESPACES.test(key) ? undefined : meantBy(bare(key))
    if (meant !== undefined && !keys.includes(meant)) found[key] = meant
  }
  return found
}

function meantBy(text: string): string | undefined {
  const same = BARE.get(text)
  if (same !== undefined) return same
  for (const [known, key] of BARE) if (isOneOff(text, known)) return key
  return undefined
}

/** Whether two texts differ by one added, missing or changed letter, or by two swapped letters. */
function isOneOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  )
}
