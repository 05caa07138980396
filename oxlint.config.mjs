import { IMPURE_GLOBALS, IMPURE_PROPERTIES, PURE } from './lint/layers.mjs'

const IMPURE = 'This layer takes data and returns data: no clock, no chance, no environment, no I/O.'

export default {
  plugins: ['typescript', 'import', 'unicorn', 'promise', 'node', 'vitest'],
  jsPlugins: ['./lint/plugin.mjs'],
  options: { typeAware: true },
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'planspan/layers': 'error',
    'planspan/comment-width': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    'import/no-cycle': 'error',
    'no-console': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    eqeqeq: 'error',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-callback-reference': 'off',
    'promise/always-return': 'off',
    'import/no-named-as-default-member': 'off',
    'vitest/no-conditional-expect': 'off',
    'no-control-regex': 'off',
    // tsc is stricter about what these look for, or they forbid what is meant.
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-unnecessary-type-assertion': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
    'typescript/no-unsafe-enum-assignment': 'off',
    'typescript/no-unsafe-enum-comparison': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/unbound-method': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/no-unnecessary-boolean-literal-compare': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/restrict-template-expressions': 'off',
  },
  overrides: [
    {
      files: ['src/**'],
      rules: { 'planspan/no-spread-arguments': 'error' },
    },
    {
      files: ['src/**', 'viewer/src/**', 'test/**'],
      rules: { 'planspan/plain-english': 'error' },
    },
    {
      files: PURE.map((layer) => `src/${layer}/**`),
      rules: {
        'planspan/no-current-time': 'error',
        'no-restricted-globals': ['error', ...IMPURE_GLOBALS.map((name) => ({ name, message: IMPURE }))],
        'no-restricted-properties': ['error', ...IMPURE_PROPERTIES.map((each) => ({ ...each, message: IMPURE }))],
      },
    },
    {
      files: [
        'src/cli/**',
        'scripts/**',
        'bench/**',
        'examples/**',
        'test/sdk-3/**',
        'test/frameworks/*.mjs',
        'test/matrix/**',
        'test/originals/run.mjs',
        'dashboards/preview/*.mjs',
      ],
      rules: { 'no-console': 'off' },
    },
    {
      // The style sheets of the page, and of what is loaded when it is asked for.
      files: ['viewer/src/main.tsx', 'viewer/src/{compare/compare-page,graph/graph-view}.tsx'],
      rules: { 'import/no-unassigned-import': 'off' },
    },
    {
      // A module that is made while building is declared without imports of its own.
      files: ['viewer/src/names.d.ts'],
      rules: { 'typescript/consistent-type-imports': 'off' },
    },
    {
      // What is waited for fails where it does not come.
      files: ['test/viewer/*.test.ts'],
      rules: { 'vitest/expect-expect': 'off' },
    },
    {
      // node:test awaits its tests itself.
      files: ['test/sdk-3/**'],
      rules: { 'typescript/no-floating-promises': 'off' },
    },
    {
      files: ['test/**', 'bench/**', 'examples/**'],
      // Callbacks of the live API may be synchronous or not; its users await either.
      rules: { 'typescript/no-non-null-assertion': 'off', 'typescript/await-thenable': 'off' },
    },
  ],
  ignorePatterns: ['dist', 'test/fixtures', 'src/**/*_pb.ts'],
}
