/**
 * The words that reveal compressed English, and what to write instead.
 * @type {readonly (readonly [pattern: RegExp, instead: string])[]}
 */
export const SYMPTOMS = [
  [/\b(?:tells?|told|telling|untold)\b/i, 'returns, reports or records'],
  [/\bwhoever\b/i, 'the name of the thing'],
  [/\bof which\b/i, 'a second sentence'],
  [/(?<!\bthere )\b(?:is|are|was|were) none\b/i, 'malformed, missing or unknown'],
  [/\bknows? of\b/i, 'contains, stores or has'],
  [/\b(?:goes|go|went) by\b/i, 'is identified by'],
  [/\bwhat (?:comes|came|is left)\b/i, 'the name of the thing'],
]

/**
 * Returns the first symptom in a text and what to write instead, or undefined.
 * @param {string} text
 */
export function symptomIn(text) {
  for (const [pattern, instead] of SYMPTOMS) {
    const found = pattern.exec(text)
    if (found) return { word: found[0], instead }
  }
  return undefined
}
