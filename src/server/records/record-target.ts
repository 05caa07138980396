import type { Context } from 'hono'
import { z } from 'zod'

import { PlanspanError } from '../../error.js'
import { CHAT_UNITS, WRITTEN_FORMATS } from '../../mapping/index.js'
import type { RecordChoice } from './find-record.js'
import { checkParameters, countParameter, offsetParameter, readQuery } from '../http/query.js'
import { readSmallJson } from '../http/small-body.js'

/** An id, which of the records under it is meant, and what of it is asked for. */
export interface RecordTarget {
  readonly id: string
  readonly choice: RecordChoice & {
    readonly fields?: 'structure' | 'outline' | 'top' | 'verdict'
    readonly spanId?: string
    readonly text?: string
    readonly limit?: number
    readonly offset?: number
  }
}

const PLACE = {
  source: z.string().exactOptional().describe('The import of this source.'),
  trace: z.string().exactOptional().describe('The record of this trace.'),
}

const FORMAT = {
  format: z
    .enum(WRITTEN_FORMATS)
    .exactOptional()
    .describe('The dialect to write the record in; or chat, messages for training, in lines.'),
}

/** What a line of the format chat holds. */
export const PER = z
  .enum(CHAT_UNITS)
  .exactOptional()
  .describe('With format=chat: a line a conversation, which is the default, or a line a model call.')

/** The parameters that choose a record's events or steps, itself or its structure, its spans, or its faults. */
export const PLACE_CHOICE = z.strictObject(PLACE)

/** The query of a record: its format, and which trace or source it is rebuilt from. */
export const RECORD_CHOICE = z.strictObject({
  ...FORMAT,
  per: PER,
  fields: z
    .enum(['structure', 'outline', 'top', 'verdict'])
    .exactOptional()
    .describe(
      'Not the record: the tree of its spans without payloads; outline: the same with the steps of its plans; top: of a ' +
        'long one, soon, the outermost plans, plannings, agents and waits of that, of a shorter one no spans; or the ' +
        'verdict with what is missing.',
    ),
  ...PLACE,
})
export const SPAN_EVENTS_CHOICE = z.strictObject({
  fields: z.literal('structure').exactOptional().describe('Spans without payloads, as the structure tells of them.'),
  ...PLACE,
})

/** The query of a plan’s spans. */
export const SPAN_CHOICE = z.strictObject({ ...FORMAT, ...PLACE })
export const SPANS_CHOICE = SPAN_CHOICE.extend({ spanId: z.string().exactOptional().describe('One span alone.') })

/** The query of what went wrong in a plan. */
export const FAULTS_CHOICE = z.strictObject({
  ...PLACE,
  limit: countParameter.exactOptional().describe('1 to 1000 of each list; 50 unless told.'),
  offset: offsetParameter
    .exactOptional()
    .describe('How many of each list are left out at its beginning; 0 unless told.'),
})
export const MATCHES_CHOICE = z.strictObject({
  ...PLACE,
  text: z
    .string()
    .min(1)
    .max(200)
    .describe('A text in names, messages or values of attributes, in upper or lower case, at most 200 characters.'),
})
type ChoiceSchema =
  | typeof PLACE_CHOICE
  | typeof SPAN_EVENTS_CHOICE
  | typeof RECORD_CHOICE
  | typeof SPAN_CHOICE
  | typeof SPANS_CHOICE
  | typeof FAULTS_CHOICE
  | typeof MATCHES_CHOICE

/** What names a record beside its path. */
export const IDS = { planId: z.string().exactOptional(), stepId: z.string().exactOptional() }

/** The methods of requests that name a record beside their path. */
export const ASKING = ['GET', 'POST']

/** The record that a path names: of a plan, else of an agent's step. */
export const targetOfPath = (c: Context, schema: ChoiceSchema): RecordTarget => ({
  id: c.req.param('planId') ?? '',
  choice: readQuery(c, schema),
})

/**
 * The record that a request names beside its path: by `planId` as a path does, or by `stepId`; in the query, or in the
 * JSON of a POST. No path can hold an id such as `..`, and no URL one of any length.
 */
export async function targetOfRequest(c: Context, schema: ChoiceSchema): Promise<RecordTarget> {
  const withIds = z.strictObject({ ...schema.shape, ...IDS })
  const asked =
    c.req.method === 'POST'
      ? checkParameters(await readSmallJson(c, '{"planId": "…"}'), withIds)
      : readQuery(c, withIds)
  const { planId, stepId, ...choice } = asked
  if (planId !== undefined && stepId === undefined) return { id: planId, choice }
  if (stepId !== undefined && planId === undefined) return { id: stepId, choice: { ...choice, kind: 'step' } }
  throw new PlanspanError('usage', 'Name one record, by planId or by stepId.')
}
