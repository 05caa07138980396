import { expect, test } from 'vitest'
import * as client from '../../src/client/index.js'
import * as main from '../../src/index.js'
import * as records from '../../src/records/index.js'
import * as server from '../../src/server/index.js'

test('the package exports these names and no others', () => {
  expect(Object.keys(main).toSorted()).toEqual([
    'ATTR',
    'DIALECT_NAMES',
    'PendingSpanProcessor',
    'PlanspanError',
    'PlanspanProcessor',
    'createLynxeRecorder',
    'createManusRecorder',
    'createTrajectoryRecorder',
    'decodeRecord',
    'dropCounts',
    'encodeRecords',
    'flush',
    'isDialectName',
    'plan',
    'register',
    'resume',
    'startPlan',
    'startResume',
    'wrapExporter',
  ])
  expect(Object.keys(client).toSorted()).toEqual(['ClientError', 'createClient', 'pagePath'])
  expect(Object.keys(records).filter((name) => !name.endsWith('Schema'))).toEqual([])
  expect(Object.keys(server).toSorted()).toEqual([
    'RECORD_HEADERS',
    'backupStore',
    'checkBackup',
    'checkTenants',
    'createApp',
    'createTenant',
    'dropTenant',
    'indexStore',
    'listTenants',
    'migrateCluster',
    'openStore',
    'restoreStore',
    'schemaDdl',
    'setAsideDays',
    'startServer',
  ])
})
