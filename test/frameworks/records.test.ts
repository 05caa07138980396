import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { PlanExecutionRecord } from '../../src/records/index.js'
import { startServe, type Serving } from '../cli/run-cli.js'
import { deserves, judge } from './fields.js'
import { startModel, type Model } from './model.js'
import { play } from './play.js'
import { resultFrom, resultOf, RUNS, storyOf, writeResult } from './results.js'
import { toldBy, type ToldPlan } from './told.js'
import { truthOf } from './truth.js'
import { conversationsOf, listed, shownBy, shownOf } from './views.js'

/** The frameworks that `npm run test:frameworks` has installed. */
const installed = new Set((process.env['PLANSPAN_FRAMEWORKS'] ?? '').split(' '))
const updates = process.env['PLANSPAN_FRAMEWORKS_UPDATE'] === 'true'

let directory: string
let serving: Serving | undefined
let model: Model | undefined

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'planspan-frameworks-'))
  serving = await startServe(['--data', directory])
  model = await startModel()
})
afterAll(async () => {
  model?.close()
  await serving?.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

interface Answer {
  readonly plan: ToldPlan
  readonly verdict: string | null
}

/** The records of all plans of the traces. A trace without a listed plan is asked for by its own id. */
async function recordsOf({ line: { url } }: Serving, traceIds: readonly string[]): Promise<Answer[]> {
  const plans = await listed(url, traceIds)
  const conversations = await conversationsOf(serving!, traceIds)
  const ids = plans.length > 0 ? plans.map(({ planId }) => planId) : traceIds.slice(0, 1)
  const answers = ids.map(async (id) => {
    const response = await fetch(`${url}/api/records/${id}?format=plan-execution`)
    if (response.status !== 200) return []
    const record = JSON.parse(await response.text()) as PlanExecutionRecord
    const state = response.headers.get('planspan-state')
    const plan = toldBy(record, { state, conversation: conversations.get(id) })
    return [{ plan, verdict: response.headers.get('planspan-verdict') }]
  })
  return (await Promise.all(answers)).flat()
}

const runs = RUNS.filter(({ framework }) => installed.has(framework))

describe.each(runs)('$framework, $variant', (run) => {
  it.each(run.stories)('%s: the record is right, except for the declared fields', async (story) => {
    const told = storyOf(run, story)
    const played = await play(run, story, { endpoint: serving!.line.url, model: model!.urlOf(told) })
    const answers = await recordsOf(serving!, played.traceIds)
    const plans = answers.map(({ plan }) => plan)
    const truth = truthOf(told, played)
    const fields = judge(plans, truth)
    const judgements = {
      ...fields,
      verdict: answers.every(({ verdict, plan }) => deserves(verdict, plan, fields)) ? 'right' : 'wrong',
      lists: isDeepStrictEqual(await shownOf(serving!, played.traceIds), shownBy(plans)) ? 'right' : 'wrong',
    } as const
    const known = resultOf(run, story)
    const result = resultFrom(judgements, known)
    if (updates) writeResult(run, story, result)
    const isKnown = updates || isDeepStrictEqual(result, known)
    // The records and the story explain a difference.
    expect({ result: updates ? known : result, plans: isKnown ? [] : plans }).toEqual({
      result: known,
      plans: isKnown ? [] : truth,
    })
  })
})
