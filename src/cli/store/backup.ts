import { backupStore } from '../../server/index.js'
import { defineCommand } from '../command.js'
import { embeddedOnly } from './store-options.js'
import { EXIT } from '../exit-code.js'
import { Progress } from '../output/progress-bar.js'
import { abortedByStop } from '../stop-signal.js'
import { print } from '../output/terminal.js'
import { formatBytes, plural } from '../output/text-layout.js'

/** `planspan backup`: copies an embedded store into a file, whether or not a server is running. */
export const command = defineCommand({
  argument: {
    name: 'FILE',
    description: 'The file to create, such as planspan-2026-03-04.tar; it must not exist',
  },
  options: {
    data: {
      type: 'string',
      valueHint: 'DIR',
      default: './planspan-data',
      description: 'Directory of the embedded ClickHouse; a server may be running there',
    },
    clickhouse: {
      type: 'string',
      valueHint: 'URL',
      description: 'Explains how to back up a ClickHouse of your own, which planspan does not do',
    },
    json: { type: 'boolean', description: 'One JSON document: the contents of the backup' },
  },
  async run({ options: { data, clickhouse, json }, args: [file = ''] }) {
    if (clickhouse !== undefined) throw embeddedOnly('backs up')
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
      `${report.file} contains ${plural(rows, 'row')} of ${databases.join(', ')}, ${formatBytes(bytes)}.` +
        (heldMs === null ? '' : ` Senders waited for ${(heldMs / 1000).toFixed(2)} s at most.`) +
        '\nIt contains the stored records and the passwords of ClickHouse’s users: keep it where nobody else can read it. ' +
        'It does not contain the token file.',
    )
    return EXIT.done
  },
})
