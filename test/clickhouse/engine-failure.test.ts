import { appendFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

import { openDataDirectory } from '../../src/clickhouse/data-directory.js'
import { explainFailure, hasRefused, logPosition } from '../../src/clickhouse/engine-failure.js'
import { temporaryDirectory } from './temporary-directory.js'

// Output of ClickHouse 26.7.2.1 on a tmpfs without inodes, on one without free space, and beside a server on its port.
const outputs = [
  [
    'disk_full',
    'Code: 76. DB::ErrnoException: Cannot open file /data/store/status: , errno: 28, strerror: No space left on device. (CANNOT_OPEN_FILE)\n',
  ],
  ['disk_full', 'Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)\n'],
  [
    'port_in_use',
    '\nReceived exception:\nCode: 210. DB::Exception: Listen [127.0.0.1]:8123 failed: Poco::Exception. Code: 1000, e.code() = 98, Net Exception: Address already in use: 127.0.0.1:8123 (version 26.7.2.1). (NETWORK_ERROR)\n\n\u001B[?2004h\u001B[1G:) ',
  ],
  ['clickhouse_failed', 'Code: 62. DB::Exception: Syntax error (in file metadata/broken.sql)\n'],
] as const

describe('explaining a failure of ClickHouse', () => {
  it.each(outputs)('recognizes %s in the output', (code, output) => {
    const directory = openDataDirectory(temporaryDirectory())
    writeFileSync(directory.output, output)
    expect(explainFailure(directory, 0, 'It ended')).toMatchObject({ code })
  })

  it('names the port that is in use', () => {
    const directory = openDataDirectory(temporaryDirectory())
    writeFileSync(directory.output, outputs[2][1])
    expect(hasRefused(directory)).toBe(true)
    expect(explainFailure(directory, 0, 'It ended').message).toContain('port 8123')
  })

  it('quotes the last lines since the start, without stack frames and terminal codes', () => {
    const directory = openDataDirectory(temporaryDirectory())
    writeFileSync(directory.log, 'of an earlier run\n')
    const from = logPosition(directory)
    writeFileSync(directory.output, 'Logging information to x\n\u001B[1mbold\u001B[0m\n1. ? @ 0x00001\n')
    appendFileSync(directory.log, Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join(''))
    const { message } = explainFailure(directory, from, 'ClickHouse ended')
    expect(message).toMatch(/^ClickHouse ended\. Its log is .*clickhouse\.log\. It last wrote:\nbold\nline 88\n/)
    expect(message).toMatch(/line 99$/)
  })

  it('reads a rotated log from its beginning', () => {
    const directory = openDataDirectory(temporaryDirectory())
    writeFileSync(directory.log, 'new\n')
    expect(explainFailure(directory, 1000, 'It ended').message).toMatch(/It last wrote:\nnew$/)
  })

  it('reports that there is no output', () => {
    const directory = openDataDirectory(temporaryDirectory())
    expect(explainFailure(directory, 0, 'It ended').message).toContain('It wrote nothing.')
    expect(hasRefused(directory)).toBe(false)
  })
})
