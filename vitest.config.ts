import { defineConfig } from 'vitest/config'

/** Worker threads load src/ past Vitest. */
const execArgv = ['--import', new URL('test/support/typescript.mjs', import.meta.url).href]

// Fast tests first. Those that need a real part (ClickHouse, a child process) are named *.integration.test.ts. Those
// that need a Go program stand in test/collector, those of examples in other languages in test/languages, those that
// play with agent frameworks in test/frameworks: `npm run test:collector`, `test:languages` and `test:frameworks` build
// or install what they need and run them.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.integration.test.ts', 'test/{collector,languages,frameworks}/**'],
          execArgv,
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/**/*.integration.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          execArgv,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
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
        test: {
          name: 'frameworks',
          include: ['test/frameworks/*.test.ts'],
          execArgv,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
