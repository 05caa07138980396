import { reorderStore, type ReorderStoreOptions } from '../server/index.js'
import { EXIT, type ExitCode } from './exit-code.js'
import { Progress } from './progress.js'
import { print } from './terminal.js'
import { formatDuration } from './text-layout.js'

/** `planspan schema --reorder`: puts the span table into today's order, and tells what that did. */
export async function reorderTable(options: ReorderStoreOptions, asJson: boolean): Promise<ExitCode> {
  const began = performance.now()
  const table = `${options.database}.otel_traces`
  let progress: { readonly stage: string; readonly bar: Progress } | undefined
  const result = await reorderStore({
    ...options,
    onProgress(stage, done, total) {
      if (progress?.stage !== stage) {
        progress?.bar.end()
        progress = { stage, bar: new Progress(`${table}: ${stage}`, total) }
      }
      progress.bar.update(done, `${count(done)} of ${count(total)} rows`)
    },
  }).finally(() => progress?.bar.end())
  if (asJson) {
    print(JSON.stringify({ table, reordered: result ?? null }))
    return EXIT.done
  }
  if (!result) {
    print(`${table} has nothing to reorder: it is in today's order, or not there.`)
    return EXIT.done
  }
  const { rows, bytes, days } = result
  print(
    `${table} is in today's order: ${count(rows.before)} rows of ${count(days)} days became ${count(rows.after)}, ` +
      `${megabytes(bytes.before)} became ${megabytes(bytes.after)}, in ${formatDuration(performance.now() - began)}.`,
  )
  return EXIT.done
}

const count = (number: number): string => number.toLocaleString('en-US')
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
