import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

import {
  bytes,
  encodeAttributes,
  encodeValue,
  message,
  text,
  type AnyValueJson,
  type KeyValueJson,
} from './encode-request.js'

/** A log record of OTLP/JSON. */
export interface LogJson {
  timeUnixNano?: string
  observedTimeUnixNano?: string
  severityNumber?: number
  severityText?: string
  body?: AnyValueJson
  attributes?: KeyValueJson[]
  droppedAttributesCount?: number
  flags?: number
  traceId?: string
  spanId?: string
  eventName?: string
}

export interface LogsJson {
  resourceLogs: {
    resource?: { attributes?: KeyValueJson[] }
    schemaUrl?: string
    scopeLogs?: {
      scope?: { name?: string; version?: string; attributes?: KeyValueJson[] }
      schemaUrl?: string
      logRecords?: LogJson[]
    }[]
  }[]
}

/** The same request as protobuf bytes, with every present field written. */
export function encodeLogs(request: LogsJson): Uint8Array {
  const writer = new BinaryWriter()
  for (const { resource, scopeLogs = [], schemaUrl } of request.resourceLogs) {
    message(writer, 1, () => {
      if (resource) message(writer, 1, () => encodeAttributes(writer, 1, resource.attributes))
      for (const { scope, logRecords = [], schemaUrl } of scopeLogs) {
        message(writer, 2, () => {
          if (scope) {
            message(writer, 1, () => {
              if (scope.name !== undefined) text(writer, 1, scope.name)
              if (scope.version !== undefined) text(writer, 2, scope.version)
              encodeAttributes(writer, 3, scope.attributes)
            })
          }
          for (const log of logRecords) message(writer, 2, () => encodeLog(writer, log))
          if (schemaUrl !== undefined) text(writer, 3, schemaUrl)
        })
      }
      if (schemaUrl !== undefined) text(writer, 3, schemaUrl)
    })
  }
  return writer.finish()
}

function encodeLog(writer: BinaryWriter, log: LogJson): void {
  const { body } = log
  if (log.timeUnixNano !== undefined) writer.tag(1, WireType.Bit64).fixed64(log.timeUnixNano)
  if (log.severityNumber !== undefined) writer.tag(2, WireType.Varint).int32(log.severityNumber)
  if (log.severityText !== undefined) text(writer, 3, log.severityText)
  if (body) message(writer, 5, () => encodeValue(writer, body))
  encodeAttributes(writer, 6, log.attributes)
  if (log.droppedAttributesCount !== undefined) writer.tag(7, WireType.Varint).uint32(log.droppedAttributesCount)
  if (log.flags !== undefined) writer.tag(8, WireType.Bit32).fixed32(log.flags)
  if (log.traceId !== undefined) bytes(writer, 9, Buffer.from(log.traceId, 'hex'))
  if (log.spanId !== undefined) bytes(writer, 10, Buffer.from(log.spanId, 'hex'))
  if (log.observedTimeUnixNano !== undefined) writer.tag(11, WireType.Bit64).fixed64(log.observedTimeUnixNano)
  if (log.eventName !== undefined) text(writer, 12, log.eventName)
}
