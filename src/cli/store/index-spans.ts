import { PlanspanError } from '../../error.js'
import { indexStore, type IndexReport, type IndexStoreOptions } from '../../server/index.js'
import { clickhouseUrl } from './store-options.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { timeOption } from '../option-values.js'
import { Progress } from '../output/progress-bar.js'
import { abortedByStop, stopSignal } from '../stop-signal.js'
import { note, print } from '../output/terminal.js'
import { plural } from '../output/text-layout.js'

/** `planspan index`: indexes the spans of a store without serving it. */
export const command = defineCommand({
  options: {
    data: {
      type: 'string',
      valueHint: 'DIR',
      default: './planspan-data',
      description: 'Directory of the embedded ClickHouse',
    },
    clickhouse: {
      type: 'string',
      valueHint: 'URL',
      description: 'A ClickHouse server instead, with its password in CLICKHOUSE_PASSWORD or in the URL',
    },
    database: { type: 'string', valueHint: 'NAME', default: 'otel', description: 'The ClickHouse database' },
    hosts: {
      type: 'string',
      valueHint: 'URL,URL,…',
      description: 'All hosts of a cluster, with --clickhouse (default: those in ClickHouse’s configuration)',
    },
    since: {
      type: 'string',
      valueHint: 'TIME',
      description: 'Also index again all traces with spans that started since then, such as 7d, the latest first',
    },
    watch: { type: 'boolean', description: 'With --clickhouse: keep indexing until a signal' },
    json: { type: 'boolean', description: 'One JSON line with the result' },
  },
  async run({ options: { data, clickhouse, database, hosts, since, watch = false, json = false } }) {
    if (watch && clickhouse === undefined) {
      throw new PlanspanError(
        'usage',
        '--watch requires --clickhouse: only `planspan serve` writes into an embedded store, and it indexes its own ' +
          'spans.',
      )
    }
    const from = since === undefined ? undefined : Date.parse(timeOption('since', since, Date.now()))
    const bars = new Map<string, Progress>()
    const report = (indexed: IndexReport): void => {
      for (const bar of bars.values()) bar.end()
      print(json ? JSON.stringify(indexed) : describe(indexed))
    }
    const options: Omit<IndexStoreOptions, 'signal'> = {
      dataDirectory: data,
      ...(clickhouse === undefined ? {} : { clickhouse: clickhouseUrl(clickhouse) }),
      database,
      hosts,
      since: from,
      onProgress: (done, total, unit) => {
        const bar = bars.get(unit) ?? new Progress(database, 1)
        bars.set(unit, bar)
        bar.update(done / Math.max(1, total), `${String(done)} of ${plural(total, unit)}`)
      },
    }
    if (watch) {
      const stop = new AbortController()
      void stopSignal().then(() => stop.abort())
      const onError = (message: string): void => note(`${message} The indexer retries.`)
      await indexStore({ ...options, signal: stop.signal, onCaughtUp: report, onError })
      return EXIT.done
    }
    report(
      await abortedByStop((signal) => indexStore({ ...options, signal })).finally(() => {
        for (const bar of bars.values()) bar.end()
      }),
    )
    return EXIT.done
  },
})

function describe({ database, spanRows, reindexedTraces, writtenRows, failedTraces }: IndexReport): string {
  const again = reindexedTraces === 0 ? '' : `, and ${plural(reindexedTraces, 'trace')} again`
  const failed =
    failedTraces === 0
      ? ''
      : `\n${plural(failedTraces, 'trace')} could not be fully indexed: \`SELECT * FROM ${database}.index_failures ` +
        'FINAL` lists the reasons.'
  return `Indexed ${plural(spanRows, 'row')} of ${database}.otel_traces${again}; wrote ${plural(writtenRows, 'row')}.${failed}`
}
