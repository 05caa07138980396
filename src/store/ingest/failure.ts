import { ClickHouseError } from '@clickhouse/client'

/**
 * ClickHouse's errors that tell of the rows themselves:
 * https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp. With any other the same rows may be
 * taken later.
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

export const isDataError = (error: unknown): error is ClickHouseError =>
  error instanceof ClickHouseError && DATA_ERRORS.has(error.type ?? '')

/** ClickHouse lacks the memory for an insert of this size. */
export const isMemoryLimit = (error: unknown): boolean =>
  error instanceof ClickHouseError && error.type === 'MEMORY_LIMIT_EXCEEDED'

/** Without an answer from ClickHouse nobody knows whether the rows are stored: the same insert may be sent again. */
export const isTransportFailure = (error: unknown): boolean => !(error instanceof ClickHouseError)
