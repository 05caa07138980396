/** Commands of the pages that test/docs/commands.integration.test.ts does not run, and why. */

export interface RunElsewhere {
  readonly page: string
  readonly command: RegExp
  /** The file that runs it. */
  readonly by: string
  /** A text in that file that proves it. */
  readonly seenFrom: string
}

export interface NotRun {
  readonly page: string
  readonly command: RegExp
  /** Services that no test machine has. */
  readonly needs: 'Docker' | 'Kubernetes'
}

export const RUN_ELSEWHERE: readonly RunElsewhere[] = [
  {
    page: 'README.md',
    command: /^npm ci && npm run demo$/,
    by: 'test/cli/demo.integration.test.ts',
    seenFrom: "'demo'",
  },
  { page: 'README.md', command: /^npm cit$/, by: '.ci/run', seenFrom: 'npm cit' },
  { page: 'docs/install.md', command: /^npm install /, by: 'test/matrix/cells.mjs', seenFrom: 'docs/install.md' },
  { page: 'docs/instrument.md', command: /./, by: 'test/matrix/guide.mjs', seenFrom: 'docs/instrument.md' },
  {
    page: 'docs/recipes.md',
    command: /^(?:npm install|node) /,
    by: 'test/matrix/recipes.mjs',
    seenFrom: 'docs/recipes.md',
  },
  { page: 'docs/check.md', command: /./, by: 'test/docs/check.integration.test.ts', seenFrom: 'docs/check.md' },
  { page: 'docs/compare.md', command: /./, by: 'test/docs/compare.integration.test.ts', seenFrom: 'docs/compare.md' },
  { page: 'docs/follow.md', command: /./, by: 'test/docs/follow.integration.test.ts', seenFrom: 'docs/follow.md' },
  {
    page: 'docs/deployment.md',
    command: /^planspan schema --cluster /,
    by: 'test/cli/schema.integration.test.ts',
    seenFrom: "'--apply'",
  },
  {
    page: 'docs/deployment.md',
    command: /--cold-volume /,
    by: 'test/cli/cold-data.integration.test.ts',
    seenFrom: '--cold-volume',
  },
  {
    page: 'docs/deployment.md',
    command: /^planspan index .*--watch/,
    by: 'test/cli/index.integration.test.ts',
    seenFrom: "'--watch'",
  },
  { page: 'docs/jaeger.md', command: /^npm install /, by: 'test/matrix/cells.mjs', seenFrom: 'docs/install.md' },
  {
    page: 'docs/jaeger.md',
    command: /^jaeger --config \S+remote-storage\.yaml$/,
    by: 'test/collector/tokens.test.ts',
    seenFrom: 'jaeger-remote-storage.yaml',
  },
  {
    page: 'docs/jaeger.md',
    command: /^jaeger --config \S+jaeger\.yaml$/,
    by: 'test/collector/jaeger.test.ts',
    seenFrom: 'jaeger.yaml',
  },
  { page: 'docs/jaeger.md', command: /^otelcol /, by: 'test/collector/to-jaeger.test.ts', seenFrom: 'to-jaeger.yaml' },
  {
    page: 'collector-config/README.md',
    command: /^(?:planspan serve --clickhouse|CLICKHOUSE_ENDPOINT=\S+ CLICKHOUSE_USER=\S+ otelcol) /,
    by: 'test/collector/odd-times.test.ts',
    seenFrom: 'agent.yaml',
  },
]

export const NOT_RUN: readonly NotRun[] = [
  { page: 'collector-config/README.md', command: /^(?:apply|helm|kubectl) |^(?:apply|sum)\(\)/, needs: 'Kubernetes' },
]
