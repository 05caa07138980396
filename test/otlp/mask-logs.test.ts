import { expect, it } from 'vitest'

import { receive } from '../../src/otlp/index.js'
import { ATTR } from '../../src/semconv/index.js'
import { encodeLogs, type LogsJson } from './encode-logs.js'

const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH'
const logs: LogsJson = {
  resourceLogs: [
    {
      scopeLogs: [
        {
          logRecords: [
            {
              timeUnixNano: '7',
              body: { stringValue: `the key is ${secret}` },
              attributes: [{ key: 'note', value: { arrayValue: { values: [{ stringValue: secret }] } } }],
              eventName: 'e',
            },
            { body: { stringValue: 'nothing' } },
          ],
        },
      ],
    },
  ],
}

it.each([
  ['json', Buffer.from(JSON.stringify(logs))],
  ['protobuf', encodeLogs(logs)],
] as const)('masks the secrets of log records, and lists where they were: %s', (encoding, body) => {
  const received = receive(encoding, body, { signal: 'logs', redact: true })
  if (!received.ok) throw new Error(received.message)
  const text = Buffer.from(received.request.body).toString()
  expect(text).not.toContain('abcdefghijklmnopqrstuvwxyz')
  expect(text).toContain('the key is ')
  expect(text).toContain(ATTR.redactedFields)
  for (const field of ['body', 'note', 'nothing']) expect(text).toContain(field)
  expect(received.request.spans).toBe(2)
})
