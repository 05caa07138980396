import type {
  CHECK_BODY,
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
  TOTALS_QUERY,
  VIEW_QUERY,
} from '../wire/index.js'

/** A schema of parameters, as the server validates them. */
interface Checked {
  readonly _zod: { readonly input: object; readonly output: object }
}

/** The type of a parameter whose text is an `In` and which the server parses as an `Out`. */
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

/** The filters, order and page of a list. */
export type ListQuery = Query<typeof LIST_QUERY>
/** The filters of the counted plans. */
export type FacetsQuery = Query<typeof FACETS_QUERY>
/** The filters of the plans that are summed, and the number of intervals. */
export type TotalsQuery = Query<typeof TOTALS_QUERY>
/** The filters of a list whose changes are followed. */
export type ListChangesQuery = Query<typeof LIST_EVENTS_QUERY>
/** The filters, format and start of an export. */
export type ExportQuery = Query<typeof EXPORT_QUERY>
/** The filters of the plans whose rows a view returns. */
export type ViewQuery = Query<typeof VIEW_QUERY>
/** The rules of a check, and the ids of the plans to check. */
export type CheckBody = (typeof CHECK_BODY)['_zod']['input']
/** The options of an import. */
export type ImportQuery = Query<typeof IMPORT_QUERY>
/** Selects one of the records with the same id, and its dialect. */
export type RecordQuery = Query<typeof SPAN_CHOICE>
/** The same, with the unit of a line of training messages. */
export type RecordTextQuery = Omit<Query<typeof RECORD_CHOICE>, 'fields'>
/** Selects one of the records with the same id, and a part of its faults. */
export type FaultsQuery = Query<typeof FAULTS_CHOICE>
/** The rows of a comparison. */
export type CompareQuery = Pick<Query<typeof COMPARE_QUERY>, 'from' | 'limit'>
/** An SQL query, the values of its parameters, and the limits of its result. */
export type SqlQuery = (typeof SQL_BODY)['_zod']['input']
/** Selects the records to erase, and what may be erased with them. */
export type EraseQuery = Query<typeof ERASE_CHOICE>
/** Selects one of the records with the same id. */
export type PlaceQuery = Query<typeof PLACE_CHOICE>

/** Parameters as text. */
export type Parameters = Readonly<Record<string, string>>

/** Converts parameters to the server's format: times as ISO 8601, several values separated by commas. */
export function parametersOf(query: object): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    given.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)]),
  )
}
