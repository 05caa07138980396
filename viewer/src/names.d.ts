/** Made by vite.config.ts. */
declare module 'virtual:planspan-names' {
  export const ATTR: typeof import('../../dist/semconv/index.js').ATTR
  type Dialect = import('../../dist/mapping/index.js').DialectName
  export const FRAMINGS: Readonly<Record<Dialect, 'lines' | 'sse' | null>>
}
