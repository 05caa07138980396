/** planspan's version, that of its package.json. A constant, since a bundled agent has no package.json of planspan. */
export const PLANSPAN_VERSION = '0.1.0'
