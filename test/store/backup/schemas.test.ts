import { expect, test } from 'vitest'

import { checkSchemas } from '../../../src/store/backup/index.js'
import { readMigrations } from '../../../src/store/schema/migrations.js'

const applied = readMigrations().map(({ version, checksum }) => ({ version, checksum }))

test('a backup of this schema, or of a database without a version, is restored', () => {
  expect(() => checkSchemas({ otel: applied, fresh: [] })).not.toThrow()
})

test.each([
  ['a newer schema', [...applied, { version: 9, checksum: 'x' }], /The database otel of the backup has version 9 of/],
  [
    'a development build',
    [{ version: 1, checksum: 'x' }],
    /The database otel of the backup was created by a development/,
  ],
])('a backup of %s is rejected', (_, other, message) => {
  expect(() => checkSchemas({ fine: applied, otel: other })).toThrow(message)
})
