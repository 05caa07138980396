import type {
  COMPARE_QUERY,
  ERASE_CHOICE,
  EXPORT_QUERY,
  FACETS_QUERY,
  FAULTS_CHOICE,
  IMPORT_QUERY,
  LIST_EVENTS_QUERY,
  LIST_QUERY,
  PLACE_CHOICE,
  RECORD_CHOICE,
  SPAN_CHOICE,
  SQL_BODY,
  VIEW_QUERY,
} from '../wire/index.js'

/** A schema of parameters, as the server checks them. */
interface Checked {
  readonly _zod: { readonly input: object; readonly output: object }
}

/** What stands for a parameter whose text is an `In` and which the server reads as an `Out`. */
type Given<In, Out> = [Out] extends [boolean]
  ? boolean
  : [Out] extends [bigint]
    ? string | Date
    : [Out] extends [number]
      ? [string] extends [In]
        ? number | `${number}`
        : In & string
      : [Out] extends [readonly (infer Item)[]]
        ? [string] extends [Item]
          ? string
          : Item | readonly Item[]
        : Out

/** The parameters of a schema; undefined ones are not sent. */
type Query<Schema extends Checked> = ByName<Required<Schema['_zod']['input']>, Required<Schema['_zod']['output']>>
type ByName<In, Out> = { readonly [Name in keyof Out]?: Given<In[Name & keyof In], Out[Name]> | undefined }

/** What plans are listed, in what order, and from where on. */
export type ListQuery = Query<typeof LIST_QUERY>
/** Which plans values are counted of. */
export type FacetsQuery = Query<typeof FACETS_QUERY>
/** Which list's changes are told. */
export type ListChangesQuery = Query<typeof LIST_EVENTS_QUERY>
/** Which records are exported, how, and from where on. */
export type ExportQuery = Query<typeof EXPORT_QUERY>
/** Of which plans the rows of a view are. */
export type ViewQuery = Query<typeof VIEW_QUERY>
/** How records are imported. */
export type ImportQuery = Query<typeof IMPORT_QUERY>
/** Which of the records that share an id is meant, and the dialect to write it in. */
export type RecordQuery = Query<typeof SPAN_CHOICE>
/** The same, and what a line of messages for training holds. */
export type RecordTextQuery = Omit<Query<typeof RECORD_CHOICE>, 'fields'>
/** Which of the records that share an id is meant, and which part of its faults. */
export type FaultsQuery = Query<typeof FAULTS_CHOICE>
/** Which rows of a comparison are told. */
export type CompareQuery = Pick<Query<typeof COMPARE_QUERY>, 'from' | 'limit'>
/** A query in SQL, the values of its parameters, and how much of its answer is wanted. */
export type SqlQuery = (typeof SQL_BODY)['_zod']['input']
/** Which of the records that share an id are erased, and what may go with them. */
export type EraseQuery = Query<typeof ERASE_CHOICE>
/** Which of the records that share an id is meant. */
export type PlaceQuery = Query<typeof PLACE_CHOICE>

/** Parameters with their values as text. */
export type Parameters = Readonly<Record<string, string>>

/** The parameters as the server takes them: times as ISO 8601, several values separated by commas. */
export function parametersOf(query: object): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    given.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)]),
  )
}
