import { ClickHouseError } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'

/**
 * ClickHouse's error codes for invalid rows
 * (https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp). After any other error ClickHouse
 * may accept the same rows later.
 */
const DATA_ERRORS: ReadonlySet<string> = new Set([
  'CANNOT_PARSE_TEXT',
  'CANNOT_READ_ALL_DATA',
  'ATTEMPT_TO_READ_AFTER_EOF',
  'INCORRECT_DATA',
  'UNKNOWN_PROTOBUF_FORMAT',
  'PROTOBUF_BAD_CAST',
  'PROTOBUF_FIELD_NOT_REPEATED',
  'NO_COLUMNS_SERIALIZED_TO_PROTOBUF_FIELDS',
  'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO',
  'VIOLATED_CONSTRAINT',
  'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
  'ARGUMENT_OUT_OF_BOUND',
  'DECIMAL_OVERFLOW',
  'CANNOT_CONVERT_TYPE',
  'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN',
  'TOO_LARGE_STRING_SIZE',
  'TOO_LARGE_ARRAY_SIZE',
  'TOO_DEEP_RECURSION',
])

/** Whether ClickHouse rejected the rows of an insert as invalid. */
export const isDataError = (error: unknown): error is ClickHouseError =>
  error instanceof ClickHouseError && DATA_ERRORS.has(error.type ?? '')

/** Whether an insert exceeded ClickHouse's memory limit. */
export const isMemoryLimit = (error: unknown): boolean =>
  error instanceof ClickHouseError && error.type === 'MEMORY_LIMIT_EXCEEDED'

/**
 * Whether ClickHouse did not respond. Its rows may or may not be stored, so the same insert is retried. A timeout,
 * which is a `PlanspanError`, is not retried, because the senders of the spans have waited as long.
 */
export const isTransportFailure = (error: unknown): boolean =>
  !(error instanceof ClickHouseError || error instanceof PlanspanError)
