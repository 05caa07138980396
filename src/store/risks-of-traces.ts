import { OF_TRACES } from './query.js'
import { fillSql } from './sql-file.js'
import { viewSql } from './views/views.js'

/** The view `risks`, once it has been read. */
let risks: string | undefined

/** What the view `risks` tells of the traces `{traceIds:Array(String)}`. */
export function risksOfTraces(database: string): string {
  risks ??= fillSql(viewSql('risks', 'traces'), { spans_of_traces: OF_TRACES })
  return fillSql(risks, { database })
}
