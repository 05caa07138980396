import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Era } from '../../src/mapping/dialects/dialect.js'
import { DIALECTS } from '../../src/mapping/dialects/index.js'
import type { Properties } from '../../src/mapping/record-object/property.js'
import {
  actionResultSchema,
  actToolInfoSchema,
  agentExecutionRecordSchema,
  atifAgentSchema,
  atifMessageSchema,
  atifResultSchema,
  atifStepSchema,
  atifToolCallSchema,
  atifTrajectorySchema,
  executionTrajectorySchema,
  planActEventSchema,
  planActSessionSchema,
  planActShownEventSchema,
  planActStepSchema,
  planActStreamEntrySchema,
  planExecutionRecordSchema,
  planRunRecordSchema,
  researcherCallSchema,
  researcherMetricsSchema,
  safetyAssessmentSchema,
  safetyInfoSchema,
  thinkActRecordSchema,
  tokenUsageSchema,
  trajectoryErrorSchema,
  trajectoryStepSchema,
  trajLineSchema,
  userInputWaitStateSchema,
  worldModelOutputSchema,
} from '../../src/records/index.js'

/** The object's schema inside an optional, nullable or list schema. */
function bareSchema(schema: unknown): z.ZodObject | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bareSchema(schema.unwrap())
  if (schema instanceof z.ZodArray) return bareSchema(schema.element)
  return schema instanceof z.ZodObject ? schema : undefined
}

/** The objects of a union by the only value of their key `name`, and as `other` the object for any value. */
const byWord = (options: readonly unknown[], name: string) =>
  Object.fromEntries(
    options.map((option) => {
      const schema = bareSchema(option)!
      const word = schema.shape[name]
      return [word instanceof z.ZodLiteral ? String(word.value) : 'other', schema]
    }),
  )

const named = byWord(planActShownEventSchema.options, 'event')
const shown = Object.fromEntries(Object.entries(named).map(([type, { shape }]) => [type, bareSchema(shape['data'])!]))
const interfaceSchemas = { ...shown, planStep: bareSchema(shown['plan']!.shape['steps'])! }

interface Format {
  readonly eras: Readonly<Record<string, Era>>
  readonly schemas: Readonly<Record<string, z.ZodObject>>
  /** Keys that a schema omits on purpose: a system computes them, or planspan adds them. */
  readonly unnamed?: Readonly<Record<string, readonly string[]>>
}

const [line, crash] = trajLineSchema.options
const { redis, domain, websocket } = DIALECTS['plan-act:events'].eras as Record<string, Era>

const FORMATS: Readonly<Record<string, Format>> = {
  'plan-execution': {
    eras: DIALECTS['plan-execution'].eras,
    schemas: {
      plan: planExecutionRecordSchema,
      agent: agentExecutionRecordSchema,
      thinkAct: thinkActRecordSchema,
      tool: actToolInfoSchema,
      wait: userInputWaitStateSchema,
    },
    unnamed: {
      plan: ['planspan'],
      agent: ['running', 'idle', 'subPlanCount', 'completedThinkActStepsCount', 'planspan'],
      thinkAct: ['planspan'],
      tool: ['planspan'],
    },
  },
  trajectory: {
    eras: DIALECTS.trajectory.eras,
    schemas: {
      document: executionTrajectorySchema,
      step: trajectoryStepSchema,
      planUpdate: bareSchema(safetyInfoSchema.shape.plan_update)!,
      worldModelOutput: worldModelOutputSchema,
      alignment: safetyAssessmentSchema,
      usage: tokenUsageSchema,
      result: actionResultSchema,
      error: trajectoryErrorSchema,
      stepError: trajectoryErrorSchema,
    },
  },
  'trajectory:traj': { eras: DIALECTS['trajectory:traj'].eras, schemas: { line, crash } },
  'review-log': {
    eras: DIALECTS['review-log'].eras,
    schemas: { run: planRunRecordSchema, researcher: researcherMetricsSchema, call: researcherCallSchema },
  },
  'plan-act, the domain': {
    eras: { redis: redis!, domain: domain! },
    schemas: {
      ...byWord(planActEventSchema.options, 'type'),
      planStep: planActStepSchema,
      entry: planActStreamEntrySchema,
    },
  },
  'plan-act, the interface': {
    eras: DIALECTS['plan-act:session'].eras,
    schemas: { ...interfaceSchemas, entry: named['title']!, session: planActSessionSchema },
  },
  atif: {
    eras: DIALECTS.atif.eras,
    schemas: {
      trajectory: atifTrajectorySchema,
      agent: atifAgentSchema,
      step: atifStepSchema,
      message: atifMessageSchema,
      toolCall: atifToolCallSchema,
      result: atifResultSchema,
    },
  },
  'plan-act, WebSocket frames': { eras: { websocket: websocket! }, schemas: interfaceSchemas },
}

/** SafePred's assessments have some of the keys of HarmonyGuard's; a WebSocket frame has no schema. */
const WITHOUT_SCHEMA = new Set(['trajectory assessment', 'plan-act, WebSocket frames entry'])

/** The keys of a schema, including those of nested objects that no span represents. */
function schemaKeys(schema: z.ZodObject, properties: Properties): string[] {
  return Object.entries(schema.shape).flatMap(([key, value]) => {
    const property = properties[key]
    if (property?.kind !== 'nested') return [key]
    const inner = bareSchema(value)
    return inner ? schemaKeys(inner, property.properties).map((path) => `${key}.${path}`) : [key]
  })
}

const propertyKeys = (properties: Properties, keys = Object.keys(properties)): string[] =>
  keys.flatMap((key) => {
    const property = properties[key]
    return property?.kind === 'nested' ? propertyKeys(property.properties).map((path) => `${key}.${path}`) : [key]
  })

const CASES = Object.entries(FORMATS).flatMap(([format, { eras, schemas, unnamed }]) =>
  Object.entries(schemas).map(
    ([kind, schema]) => [format, kind, { eras, schema, unnamed: unnamed?.[kind] ?? [] }] as const,
  ),
)

describe('the schema of a record has the keys of its eras', () => {
  test.each(CASES)('%s: %s', (_, kind, { eras, schema, unnamed }) => {
    const objects = Object.values(eras).flatMap((era) => era.objects[kind] ?? [])
    const properties: Properties = Object.assign({}, ...objects.map((object) => object.properties))
    const written = new Set(objects.flatMap(({ properties, keys }) => propertyKeys(properties, [...keys])))
    expect(schemaKeys(schema, properties).sort()).toEqual([...written].filter((key) => !unnamed.includes(key)).sort())
  })

  test('every object of an era has a schema', () => {
    const without = Object.entries(FORMATS).flatMap(([format, { eras, schemas }]) =>
      Object.values(eras).flatMap(({ objects }) =>
        Object.keys(objects).flatMap((kind) => (Object.hasOwn(schemas, kind) ? [] : [`${format} ${kind}`])),
      ),
    )
    expect(new Set(without)).toEqual(WITHOUT_SCHEMA)
  })
})
