import { defineConfig } from 'vitest/config'

/** Worker threads load src/ without Vitest. */
const execArgv = ['--import', new URL('test/support/typescript.mjs', import.meta.url).href]

/**
 * Slow tests: the operation of a server over time (migrations, clusters, rights, old spans, hostile senders, outages),
 * worker threads and polled files, laws that need many or large plans, and all commands or pages of the documentation.
 */
const OPERATIONS = [
  'test/store/{ageing,cluster,erase,ingest,metrics}/**/*.integration.test.ts',
  'test/store/{backup,collector-order,many-plans,migrate,newest-plans,plans,rights}.integration.test.ts',
  'test/tracing/long-plan.integration.test.ts',
  'test/store/views/{resumed-plan,snapshots,views}.integration.test.ts',
  'test/server/{backup,transfer,admin}/**/*.integration.test.ts',
  'test/server/{cold-data,http/silent-connections,open-store/price-models}.integration.test.ts',
  'test/server/intake/{one-at-a-time,outages}.integration.test.ts',
  'test/server/live/live-events.integration.test.ts',
  'test/server/lists/{list-route,sql-apart}.integration.test.ts',
  'test/server/records/{any-plan,compare,faults,generations,large-records,random-records}.integration.test.ts',
  'test/server/records/{any-id,search-spans,steps,structure}.integration.test.ts',
  'test/mcp/**/*.integration.test.ts',
  'test/cli/{compare,completion,doctor,generate,index,json,parquet,schema}.integration.test.ts',
  'test/cli/{cold-data,follow-*,kills,own-traces,serve}.integration.test.ts',
  'test/clickhouse/**/*.integration.test.ts',
  'test/mapping/{any-tree,large-trees,plan-life,tree/hostile-spans}.test.ts',
  'test/mapping/dialects/{live-record-import,written-valid}.test.ts',
  'test/server/{rebuild/worker-pool,tls/certificate,transfer/import-route}.test.ts',
  'test/docs/conversion-table.test.ts',
  'test/docs/{check,commands,follow,semantic-conventions,sql}.integration.test.ts',
  'test/deployment/image.integration.test.ts',
  'test/package/{packed,sdk}.integration.test.ts',
]
/** Unit tests that change what other tests share: they replace modules, or set up the process as an agent does. */
const APART = ['test/semconv/new-field.test.ts', 'test/tracing/{dropped-values,register*,wrap-exporter}.test.ts']
const DASHBOARDS = ['test/dashboards/**/*.integration.test.ts']

const NOT_UNIT = [
  ...APART,
  ...OPERATIONS,
  'test/**/*.integration.test.ts',
  'test/{collector,languages,frameworks,kill,fuzz}/**',
  'test/viewer/*.test.ts',
]

/** Resolves the SDK package to src/ in the tests of src/; built code resolves it to the built package. */
const sdk = (file: string) => new URL(`src/sdk/${file}.ts`, import.meta.url).pathname
const wire = (room: string) => new URL(`src/wire/${room}/index.ts`, import.meta.url).pathname
const resolve = {
  alias: {
    '@planspan/sdk/error': sdk('error'),
    '@planspan/sdk': sdk('index'),
    // What the page is built with.
    'planspan/filters': wire('filters'),
    'planspan/record-path': wire('record-path'),
  },
}

// Fast tests run first. Tests that need a real part (ClickHouse, a child process) are named *.integration.test.ts; the
// slow ones belong to the projects `operations` and `dashboards`. test/collector needs Go programs, test/languages
// other languages, test/frameworks agent frameworks, test/viewer a browser; test/kill and test/fuzz run for as long as
// their options say. Each of these has an `npm run test:…` command, which builds or installs what its tests need.
export default defineConfig({
  test: {
    projects: [
      ...[false, true].map((isolate) => ({
        resolve,
        test: {
          name: isolate ? 'unit-apart' : 'unit',
          include: isolate ? APART : ['test/**/*.test.ts'],
          exclude: isolate ? [] : NOT_UNIT,
          isolate,
          execArgv,
          testTimeout: 30_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      })),
      {
        resolve,
        test: {
          name: 'integration',
          include: ['test/**/*.integration.test.ts'],
          exclude: [...OPERATIONS, ...DASHBOARDS],
          // Load built code as users do.
          server: { deps: { external: [/\/dist\//] } },
          // Reloading the server's modules for each file would take a third of the time. Each file undoes what it
          // changes in the process.
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
          // As for the integration tests.
          isolate: false,
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
          // Each file starts a server and a browser, which is faster than reloading the sources.
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
          // The run's duration is an option.
          testTimeout: 0,
          hookTimeout: 60_000,
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
})
