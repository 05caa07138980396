import { readdir, readFile } from 'node:fs/promises'

import { ClickHouseLogLevel, createClient } from '@clickhouse/client'

import { cpuSeconds } from '../ingest/processes.mjs'
import { serve } from '../serve.mjs'

/** A build at work: `planspan serve` over a directory of its own, a client of its ClickHouse. */
export class Build {
  constructor(name, checkout, directory) {
    Object.assign(this, { name, checkout, directory, database: 'otel' })
  }

  async start() {
    this.server = await serve(this.checkout, ['--data', this.directory])
    this.url = this.server.url
    this.client = clientOf(this.server.clickhouseUrl, this.database)
    this.clickhousePid = await childOf(this.server.pid)
  }

  /** Processor time of planspan and ClickHouse so far, ms: other programs on the machine lengthen all but this. */
  async processorMs() {
    return ((await cpuSeconds(this.server.pid)) + (await cpuSeconds(this.clickhousePid))) * 1000
  }

  async stop() {
    await this.client?.close()
    await this.server?.stop()
    this.client = this.server = undefined
  }

  async rows(query) {
    return (await this.client.query({ query, format: 'JSONEachRow' })).json()
  }
}

export const clientOf = (url, database) =>
  createClient({ url, database, request_timeout: 900_000, log: { level: ClickHouseLogLevel.OFF } })

/** The one process that another has started. */
async function childOf(parent) {
  for (const entry of await readdir('/proc')) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'latin1').catch(() => '') : ''
    if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(parent)) return Number(entry)
  }
  throw new Error(`${parent} has no child process`)
}
