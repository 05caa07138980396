import { WINDOW_SPANS } from './query.js'
import { fillSql } from './sql-file.js'
import { viewSql } from './views/views.js'

/** The view `risks`, once it has been read. */
let risks: string | undefined

/** What the view `risks` tells of the traces `{traceIds:Array(String)}`, in a query `WITH ${trace_window}`. */
export function risksOfTraces(database: string): string {
  risks ??= fillSql(viewSql('risks', 'traces'), { window_spans: WINDOW_SPANS })
  return fillSql(risks, { database })
}
