import { REGISTRY } from './registry.js'
import type { ConventionType } from './registry-types.js'

/** Attributes that are proposed for a later release, and that programs write already. */
export const PROPOSED: Readonly<Record<string, ConventionType>> = {
  'gen_ai.usage.cost.amount': 'double',
  'gen_ai.usage.cost.currency': 'string',
  'gen_ai.usage.cost.source': 'string',
}

const { attributes, referred } = REGISTRY
const TYPES: ReadonlyMap<string, ConventionType> = new Map(Object.entries({ ...attributes, ...referred, ...PROPOSED }))

const TEMPLATE = /^template\[(.+)\]$/
const TEMPLATES: readonly [start: string, ConventionType][] = [...TYPES].flatMap(([name, type]) => {
  const [, each] = TEMPLATE.exec(type) ?? []
  return each === undefined ? [] : [[`${name}.`, each as ConventionType]]
})

/** Returns the type of an attribute that spans of the GenAI conventions have. Undefined for other attributes. */
export const conventionType = (key: string): ConventionType | undefined =>
  TYPES.get(key) ?? TEMPLATES.find(([start]) => key.startsWith(start))?.[1]
