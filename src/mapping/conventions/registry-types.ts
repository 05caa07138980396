/** The type of an attribute. `any` is a structured value, which may be JSON text; the name of a template has an end. */
export type ConventionType = 'string' | 'int' | 'double' | 'boolean' | 'string[]' | 'any' | 'template[string]'

/** A span of the conventions. */
export interface ConventionSpan {
  readonly kinds: readonly string[]
  /** The forms of its name, with attributes in braces. */
  readonly names: readonly string[]
  readonly required: readonly string[]
}

/** The GenAI conventions. */
export interface Registry {
  readonly attributes: Readonly<Record<string, ConventionType>>
  /** The attributes of other conventions that spans and events of the GenAI conventions have. */
  readonly referred: Readonly<Record<string, ConventionType>>
  /** The values that the conventions list for an attribute, with spaces between. */
  readonly values: Readonly<Record<string, string>>
  /** Former names of attributes, with the current name. Null without a successor. */
  readonly former: Readonly<Record<string, string | null>>
  /** The spans that have an operation. */
  readonly spans: Readonly<Record<string, ConventionSpan>>
}
