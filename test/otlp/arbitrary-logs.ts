import fc from 'fast-check'

import { anyValue, attributes, optionalId, text, time } from './arbitrary-request.js'
import type { LogJson, LogsJson } from './encode-logs.js'

const log: fc.Arbitrary<LogJson> = fc.record(
  {
    timeUnixNano: time,
    observedTimeUnixNano: time,
    severityNumber: fc.integer({ min: -2, max: 300 }),
    severityText: text,
    body: anyValue,
    attributes,
    droppedAttributesCount: fc.nat(),
    flags: fc.nat(),
    traceId: optionalId(16),
    spanId: optionalId(8),
    eventName: text,
  },
  { requiredKeys: [] },
)

/** A valid request of logs with any values. */
export const logs: fc.Arbitrary<LogsJson> = fc.record({
  resourceLogs: fc.array(
    fc.record(
      {
        resource: fc.record({ attributes }, { requiredKeys: [] }),
        schemaUrl: text,
        scopeLogs: fc.array(
          fc.record(
            {
              scope: fc.record({ name: text, version: text, attributes }, { requiredKeys: [] }),
              schemaUrl: text,
              logRecords: fc.array(log, { maxLength: 4 }),
            },
            { requiredKeys: [] },
          ),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 3 },
  ),
})

/** The number of log records in requests. */
export const countLogs = (requests: readonly LogsJson[]): number =>
  requests
    .flatMap(({ resourceLogs }) => resourceLogs.flatMap(({ scopeLogs = [] }) => scopeLogs))
    .reduce((sum, { logRecords = [] }) => sum + logRecords.length, 0)
