import { backupStore } from '../../server/index.js'
import { defineCommand } from '../command.js'
import { embeddedOnly } from './embedded-only.js'
import { EXIT } from '../exit-code.js'
import { Progress } from '../output/progress-bar.js'
import { abortedByStop } from '../stop-signal.js'
import { print } from '../output/terminal.js'
import { formatBytes, plural } from '../output/text-layout.js'

/** `planspan backup`: copies an embedded store into a file, while a server runs there or not. */
export const command = defineCommand({
  argument: {
    name: 'FILE',
    description: 'Where the backup goes, such as planspan-2026-03-04.tar; it must not be there yet',
  },
  options: {
    data: {
      type: 'string',
      valueHint: 'DIR',
      default: './planspan-data',
      description: 'Where the embedded ClickHouse keeps its files; a server may be running there',
    },
    clickhouse: {
      type: 'string',
      valueHint: 'URL',
      description: 'Tells how a ClickHouse of your own is backed up, which planspan does not do',
    },
    json: { type: 'boolean', description: 'One JSON document: what the backup holds' },
  },
  async run({ options: { data, clickhouse, json }, args: [file = ''] }) {
    if (clickhouse !== undefined) throw embeddedOnly('backed up')
    const progress = new Progress(file, 1)
    const report = await abortedByStop((signal) =>
      backupStore({
        dataDirectory: data,
        file,
        signal,
        onProgress: (bytes, total) => progress.update(bytes / total, `${formatBytes(bytes)} of ${formatBytes(total)}`),
      }),
    ).finally(() => progress.end())
    if (json) {
      print(JSON.stringify(report))
      return EXIT.done
    }
    const { bytes, rows, databases, heldMs } = report
    print(
      `${report.file} holds ${plural(rows, 'row')} of ${databases.join(', ')}, ${formatBytes(bytes)}.` +
        (heldMs === null ? '' : ` Senders waited for ${(heldMs / 1000).toFixed(2)} s at most.`) +
        '\nIt has what was stored, and the passwords of ClickHouse’s users: keep it where nobody else reads it. The file ' +
        'of tokens is not in it.',
    )
    return EXIT.done
  },
})
