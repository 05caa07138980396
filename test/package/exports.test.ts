import { expect, test } from 'vitest'
import * as client from '../../src/client/index.js'
import * as records from '../../src/records.js'
import * as sdk from '../../src/sdk/index.js'
import * as server from '../../src/server/index.js'

test('the packages export these names and no others', () => {
  expect(Object.keys(sdk).toSorted()).toEqual([
    'ATTR',
    'PendingSpanProcessor',
    'PlanspanError',
    'PlanspanProcessor',
    'createLynxeRecorder',
    'createManusRecorder',
    'createPlannerRecorder',
    'createTrajectoryRecorder',
    'dropCounts',
    'flush',
    'plan',
    'register',
    'resume',
    'startPlan',
    'startResume',
    'wrapExporter',
  ])
  expect(Object.keys(client).toSorted()).toEqual(['ClientError', 'createClient', 'pagePath'])
  expect(
    Object.keys(records)
      .filter((name) => !name.endsWith('Schema'))
      .toSorted(),
  ).toEqual(['DIALECT_NAMES', 'decodeRecord', 'encodeRecords', 'isDialectName'])
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
