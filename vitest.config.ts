import { defineConfig } from 'vitest/config'

/** Worker threads load src/ past Vitest. */
const execArgv = ['--import', new URL('test/support/typescript.mjs', import.meta.url).href]

/**
 * What takes long: what it takes to run a server for years (migrations, clusters, rights, old spans, hostile senders,
 * outages), and what asks for the same in very many ways.
 */
const OPERATIONS = [
  'test/store/{ageing,cluster,erase,ingest,metrics}/**/*.integration.test.ts',
  'test/store/{backup,migrate,newest-plans,plans,rights}.integration.test.ts',
  'test/store/views/{resumed-plan,snapshots,views}.integration.test.ts',
  'test/server/{backup,cold-data,one-at-a-time,outages,price-models,set-aside-days,silent-connections}.integration.test.ts',
  'test/server/{any-plan,large-records,random-records}.integration.test.ts',
  'test/mcp/**/*.integration.test.ts',
  'test/server/{compare,erase,faults,generations,list-route,live-events,search-spans,steps,structure}.integration.test.ts',
  'test/server/{export,tenants}/**/*.integration.test.ts',
  'test/cli/{compare,completion,parquet,schema}.integration.test.ts',
  'test/cli/{cold-data,follow-*,kills,own-traces,serve}.integration.test.ts',
  'test/clickhouse/**/*.integration.test.ts',
  'test/{docs/commands,deployment/image}.integration.test.ts',
  'test/package/{packed,sdk}.integration.test.ts',
]
const DASHBOARDS = ['test/dashboards/**/*.integration.test.ts']

// Fast tests first. Those that need a real part (ClickHouse, a child process) are named *.integration.test.ts; of these
// the ones that take long have projects and commands of their own, `npm run test:operations` and `test:dashboards`.
// Those that need a Go program stand in test/collector, those of examples in other languages in test/languages, those
// that play with agent frameworks in test/frameworks: `npm run test:collector`, `test:languages` and `test:frameworks`
// build or install what they need and run them; those that look at the page in a browser stand in test/viewer, for
// `npm run test:viewer`. Those that go on for as long as they are told stand in test/kill and
// test/fuzz: `npm run test:kill` and `npm run fuzz`.
/** Tests of src/ take the SDK package from src/, too; what is built takes the built one. */
const sdk = (file: string) => new URL(`src/sdk/${file}.ts`, import.meta.url).pathname
const resolve = { alias: { '@planspan/sdk/error': sdk('error'), '@planspan/sdk': sdk('index') } }

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/**/*.integration.test.ts',
            'test/{collector,languages,frameworks,kill,fuzz}/**',
            'test/viewer/*.test.ts',
          ],
          execArgv,
          testTimeout: 30_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve,
        test: {
          name: 'integration',
          include: ['test/**/*.integration.test.ts'],
          exclude: [...OPERATIONS, ...DASHBOARDS],
          // What is built is loaded as a user has it.
          server: { deps: { external: [/\/dist\//] } },
          // Loading the server's modules again for each file would take a third of the time. A file undoes what it does
          // to the process.
          isolate: false,
          globalSetup: ['test/support/global-setup.ts'],
          execArgv,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      ...Object.entries({ operations: OPERATIONS, dashboards: DASHBOARDS }).map(([name, include]) => ({
        resolve,
        test: {
          name,
          include,
          globalSetup: ['test/support/global-setup.ts'],
          execArgv,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      })),
      {
        resolve,
        test: {
          name: 'viewer',
          include: ['test/viewer/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          execArgv,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: 1,
          // Each file has a server and a browser of its own; to load the sources anew for each takes longer than these.
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        resolve,
        test: {
          name: 'collector',
          include: ['test/collector/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts', 'test/collector/global-setup.ts'],
          execArgv,
          testTimeout: 180_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        resolve,
        test: {
          name: 'languages',
          include: ['test/languages/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts', 'test/languages/global-setup.ts'],
          execArgv,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        resolve,
        test: {
          name: 'frameworks',
          include: ['test/frameworks/*.test.ts'],
          execArgv,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 4 },
        },
      },
      {
        resolve,
        test: {
          name: 'kill',
          include: ['test/kill/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 5 },
        },
      },
      {
        resolve,
        test: {
          name: 'fuzz',
          include: ['test/fuzz/*.test.ts'],
          execArgv,
          // Each run says how long it takes.
          testTimeout: 0,
          hookTimeout: 60_000,
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
})
