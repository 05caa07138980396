import { z } from 'zod'

import { KINDS } from './kinds/index.js'
import { names } from './patterns.js'

/** The name of a kind of rule. */
export type KindName = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as KindName[]

const kinds = Object.fromEntries(KIND_NAMES.map((name) => [name, KINDS[name].schema.exactOptional()])) as {
  [Name in KindName]: z.ZodExactOptional<(typeof KINDS)[Name]['schema']>
}

/** A rule for plans. */
const ruleSchema = z
  .strictObject({
    name: z.string().min(1).max(200).describe('The name of the rule, in findings and reports.'),
    description: z.string().exactOptional().describe('What the rule is for.'),
    where: z
      .strictObject({
        workflow: names.exactOptional().describe('Plans of these workflows.'),
        service: names.exactOptional().describe('Plans whose first span is from these services.'),
        agent: names.exactOptional().describe('Plans in which one of these agents worked.'),
        tool: names.exactOptional().describe('Plans in which one of these tools was called.'),
      })
      .exactOptional()
      .describe('The plans that the rule is for. @default all plans'),
    ...kinds,
  })
  .refine(
    (rule) => KIND_NAMES.filter((name) => rule[name] !== undefined).length === 1,
    `must have exactly one of ${KIND_NAMES.join(', ')}`,
  )

/** A file of rules. */
export const rulesSchema = z.strictObject({
  rules: z
    .array(ruleSchema)
    .min(1)
    .max(500)
    .describe('The rules.')
    .refine(
      (rules) => new Set(rules.map(({ name }) => name)).size === rules.length,
      'contains two rules of the same name',
    ),
})

export type Rule = z.output<typeof ruleSchema>

/** Returns the JSON Schema of a file of rules. */
export function rulesJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(rulesSchema, {
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === (ruleSchema as unknown)) jsonSchema.oneOf = KIND_NAMES.map((name) => ({ required: [name] }))
    },
  })
  return { ...schema, title: 'Rules of planspan check' }
}
