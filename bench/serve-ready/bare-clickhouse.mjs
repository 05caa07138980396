// What serve is measured beside: the same ClickHouse, alone and bare: node bare-clickhouse.mjs DIRECTORY PORT
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const [directory, port] = process.argv.slice(2)
const require = createRequire(import.meta.url)
const { DataType, load, open } = require('ffi-rs')
const platform = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`
const library = join(dirname(require.resolve(`@chdb/lib-${platform}/package.json`)), 'libchdb.so')

mkdirSync(directory, { recursive: true })
const configuration = join(directory, 'config.xml')
writeFileSync(
  configuration,
  `<clickhouse><http_port>${port}</http_port><listen_host>127.0.0.1</listen_host></clickhouse>`,
)
const args = ['clickhouse', `--config-file=${configuration}`, '--path', join(directory, 'store'), '--query']
args.push('SYSTEM START LISTEN HTTP; SELECT sleepEachRow(3) FROM numbers(1000) SETTINGS max_block_size = 1 FORMAT Null')
open({ library: 'chdb', path: library })
void load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.BigInt,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
  runInNewThread: true,
})
