import { checkBackup, restoreStore, type BackupSummary } from '../../server/index.js'
import { defineCommand } from '../command.js'
import { embeddedOnly } from './embedded-only.js'
import { EXIT } from '../exit-code.js'
import { Progress } from '../output/progress-bar.js'
import { abortedByStop } from '../stop-signal.js'
import { print } from '../output/terminal.js'
import { formatBytes, plural } from '../output/text-layout.js'

/** `planspan restore`: makes an embedded store of a backup, or checks the backup alone. */
export const command = defineCommand({
  argument: { name: 'FILE', description: 'What `planspan backup` has written' },
  options: {
    data: {
      type: 'string',
      valueHint: 'DIR',
      default: './planspan-data',
      description: 'Where the store is to be; nothing is restored over another one',
    },
    'cold-data': {
      type: 'string',
      valueHint: 'DIR',
      description: 'Where its cold data is to be, if it has any: an empty directory, as on another disk',
    },
    check: { type: 'boolean', description: 'Read all of the file and restore nothing' },
    clickhouse: {
      type: 'string',
      valueHint: 'URL',
      description: 'Tells how a ClickHouse of your own is restored, which planspan does not do',
    },
    json: { type: 'boolean', description: 'One JSON document: what the backup holds' },
  },
  async run({ options: { data, 'cold-data': coldDirectory, check, clickhouse, json }, args: [file = ''] }) {
    if (clickhouse !== undefined) throw embeddedOnly('restored')
    const progress = new Progress(file, 1)
    const summary = await abortedByStop((signal) => {
      const onProgress = (bytes: number, total: number) =>
        progress.update(bytes / total, `${formatBytes(bytes)} of ${formatBytes(total)}`)
      if (check) return checkBackup({ file, signal, onProgress })
      return restoreStore({
        file,
        dataDirectory: data,
        ...(coldDirectory === undefined ? {} : { coldDirectory }),
        signal,
        onProgress,
      })
    }).finally(() => progress.end())
    if (json) print(JSON.stringify({ ...summary, restored: check ? null : data }))
    else print(`${describe(summary)} ${check ? 'It is whole.' : `It is restored: planspan serve --data ${data}`}`)
    return EXIT.done
  },
})

const describe = ({ planspan, madeAt, bytes, rows, databases }: BackupSummary): string =>
  `The backup of ${madeAt}, by planspan ${planspan}, holds ${plural(rows, 'row')} of ${databases.join(', ')}, ` +
  `${formatBytes(bytes)}.`
