import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { PlanExecutionRecord } from '../../src/records/index.js'
import { startServe, type Serving } from '../cli/run-cli.js'
import { RUNS } from './frameworks.js'
import { startModel } from './model.js'
import { play } from './play.js'
import { STORIES } from './story.js'
import { toldBy } from './told.js'
import { truthOf } from './truth.js'
import { shownOf, shownTruth } from './views.js'

/** The frameworks that `npm run test:frameworks` has installed. */
const installed = new Set((process.env['PLANSPAN_FRAMEWORKS'] ?? '').split(' '))

let directory: string
let serving: Serving | undefined
let model: Awaited<ReturnType<typeof startModel>> | undefined

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

const runs = RUNS.filter(({ framework }) => installed.has(framework))

describe.each(runs)('$framework, $variant', (run) => {
  it.each(run.stories)('%s: one record contains the whole story', async (story) => {
    const { url } = serving!.line
    const { traceIds, answer } = await play(run, story, { endpoint: url, model: model!.url })
    expect(traceIds).toHaveLength(1)
    const response = await fetch(`${url}/api/records/${traceIds[0]!}?format=plan-execution`)
    const text = await response.text()
    expect({ status: response.status, text }).toMatchObject({ status: 200 })
    expect(toldBy(JSON.parse(text) as PlanExecutionRecord)).toEqual(truthOf(STORIES[story]!, answer))
    expect(response.headers.get('planspan-verdict')).toBe('complete')
    expect(response.headers.get('planspan-state')).toBe('completed')
    expect(await shownOf(serving!, traceIds[0]!)).toEqual(shownTruth(STORIES[story]!, traceIds[0]!))
  })
})
