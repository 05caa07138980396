import { expect, test } from 'vitest'

import { checkSchemas } from '../../../src/store/backup/index.js'
import { readMigrations } from '../../../src/store/migrations.js'

const applied = Object.fromEntries(readMigrations().map(({ id, checksum }) => [id, [checksum]]))

test('a backup of this schema or an earlier one is taken', () => {
  const [first] = readMigrations()
  const earlier = readMigrations().find(({ earlier }) => earlier.length > 0)
  expect(() => checkSchemas({ otel: applied, none: {} }, '0.1.0')).not.toThrow()
  expect(() => checkSchemas({ otel: { [first!.id]: [first!.checksum] } }, '0.1.0')).not.toThrow()
  expect(() => checkSchemas({ otel: { ...applied, [earlier!.id]: [earlier!.earlier[0]!] } }, '0.1.0')).not.toThrow()
})

test.each([
  ['a later migration', { '9999_later': ['x'] }, '9999_later'],
  ['another form of one', { '0003_plan_keys': ['x'] }, '0003_plan_keys'],
])('a backup with %s is refused', (_, other, named) => {
  expect(() => checkSchemas({ fine: applied, otel: { ...applied, ...other } }, '9.9.9')).toThrow(
    `The database otel of the backup was made by planspan 9.9.9, whose ${named} this version does not know.`,
  )
})
