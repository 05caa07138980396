/** Made by vite.config.ts. */
declare module 'virtual:planspan-names' {
  export const ATTR: typeof import('../../dist/semconv/index.js').ATTR
  export const DIALECT_NAMES: typeof import('../../dist/mapping/index.js').DIALECT_NAMES
}
