import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { Importer, StoppedFollowing } from '../../../src/cli/follow/importer.js'
import { Outage } from '../../../src/cli/follow/pause.js'
import { Report, type Refusal } from '../../../src/cli/follow/report.js'
import { PlanspanError } from '../../../src/error.js'
import { encodeRecords, type EncodedRecord } from '../../../src/mapping/index.js'
import type { SpanSender } from '../../../src/sender/index.js'

const RUN = JSON.parse(
  readFileSync(new URL('../../fixtures/review-log/plan_run_record.jsonl', import.meta.url), 'utf8'),
) as object
const recordOf = (question: string): EncodedRecord =>
  [...encodeRecords(Buffer.from(JSON.stringify({ ...RUN, question })))][0]!

/** Records its output. */
class Kept extends Report {
  readonly stored: string[] = []
  readonly refusals: Refusal[] = []
  override imported(_record: EncodedRecord, from: string): void {
    this.stored.push(from)
  }
  override refuse(refusal: Refusal): void {
    this.refusals.push(refusal)
  }
}

function importerWith(send: SpanSender['send'], { waits = false, signal = new AbortController().signal } = {}) {
  const report = new Kept({ json: true })
  const outage = new Outage('server', report)
  return { report, importer: new Importer({ sender: { send }, report, outage, signal, reached: {}, waits }) }
}

test('a record that the server rejects does not block the others', async () => {
  const bad = recordOf('bad')
  const { importer, report } = importerWith(async (spans) => {
    const all = [...spans]
    if (all.some(({ traceId }) => traceId === bad.traceId)) throw new PlanspanError('receiver_refused', 'Too odd.')
    return { accepted: all.length, rejected: 0, reasons: [] }
  })
  await importer.add(recordOf('one'), '1')
  await importer.add(bad, '2')
  await importer.add(recordOf('three'), '3')
  await importer.flush()
  expect(report.stored).toEqual(['1', '3'])
  expect(report.refusals).toEqual([{ from: '2', message: 'Too odd.' }])
})

test('a record that is not stored when following ends does not count as stored', async () => {
  const stop = new AbortController()
  const away = async () => {
    stop.abort()
    throw new PlanspanError('receiver_unreachable', 'Away.')
  }
  const { importer, report } = importerWith(away, { waits: true, signal: stop.signal })
  await importer.add(recordOf('one'), '1')
  await expect(importer.flush()).rejects.toThrow(StoppedFollowing)
  expect(report.stored).toEqual([])
})
