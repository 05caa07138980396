import { ATTR } from './attribute-keys.js'

/**
 * Returns whether a guardrail found its action unsafe, by the attributes of its span. Without a verdict, an action that
 * violates policies is unsafe, unless the assessment repeats another one, which has the verdict.
 */
export function isUnsafe(attributes: Readonly<Record<string, string>>): boolean {
  const { [ATTR.riskIsSafe]: isSafe, [ATTR.riskRepeated]: repeated } = attributes
  if (isSafe === 'true' || isSafe === 'false') return isSafe === 'false'
  return repeated !== 'true' && !NO_POLICIES.has(attributes[ATTR.riskViolatedPolicyIds])
}

const NO_POLICIES: ReadonlySet<string | undefined> = new Set([undefined, '', '[]'])
