import { checkBackup, restoreStore, type BackupSummary } from '../../server/index.js'
import { defineCommand } from '../command.js'
import { embeddedOnly } from './store-options.js'
import { EXIT } from '../exit-code.js'
import { Progress } from '../output/progress-bar.js'
import { abortedByStop } from '../stop-signal.js'
import { print } from '../output/terminal.js'
import { formatBytes, plural } from '../output/text-layout.js'

/** `planspan restore`: creates an embedded store from a backup, or only checks the backup. */
export const command = defineCommand({
  argument: { name: 'FILE', description: 'A file that `planspan backup` has written' },
  options: {
    data: {
      type: 'string',
      valueHint: 'DIR',
      default: './planspan-data',
      description: 'The directory of the new store; it must not contain a store',
    },
    'cold-data': {
      type: 'string',
      valueHint: 'DIR',
      description: 'The directory of its cold data, if it has any: empty, for example on another disk',
    },
    check: { type: 'boolean', description: 'Read the whole file and restore nothing' },
    clickhouse: {
      type: 'string',
      valueHint: 'URL',
      description: 'Explains how to restore a ClickHouse of your own, which planspan does not do',
    },
    json: { type: 'boolean', description: 'One JSON document: the contents of the backup' },
  },
  async run({ options: { data, 'cold-data': coldDirectory, check, clickhouse, json }, args: [file = ''] }) {
    if (clickhouse !== undefined) throw embeddedOnly('restores')
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
    else print(`${describe(summary)} ${check ? 'It is intact.' : `It is restored: planspan serve --data ${data}`}`)
    return EXIT.done
  },
})

const describe = ({ planspan, madeAt, bytes, rows, databases }: BackupSummary): string =>
  `The backup of ${madeAt}, by planspan ${planspan}, contains ${plural(rows, 'row')} of ${databases.join(', ')}, ` +
  `${formatBytes(bytes)}.`
