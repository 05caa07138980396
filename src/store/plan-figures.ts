import { foreignFigured } from './foreign/figured-spans.js'
import { OF_TRACES, querySql } from './query.js'
import { fillSql, readSql } from './sql-file.js'

/** What a model call costs, of the columns of a `call` and its `price`, and the prices: for views, too. */
export const COST_PARTS = {
  call_cost: readSql('fragments/call_cost.sql').trimEnd(),
  prices: readSql('fragments/prices.sql').trimEnd(),
}

const PRICED_SPANS = readSql('fragments/priced_spans.sql').trimEnd()

/**
 * A query for the figures of all plans of the traces `{traceIds:Array(String)}`, of planspan's own spans alone or with
 * other instrumentations' as well.
 */
export const pageFiguresSql = (database: string, spans: 'own' | 'all'): string =>
  fillSql(
    querySql('page_figures', {
      priced_spans: pricedSql(spans === 'own' ? { own: OF_TRACES } : { own: OF_TRACES, foreign: OF_TRACES }),
    }),
    { database },
  )

const SINCE = 'Timestamp >= fromUnixTimestamp64Nano({from:Int64})'

/**
 * A query for tokens and cost of the plans that start at `{from:Int64}` or later: a plan's spans begin with it or
 * later.
 */
export const tellingFiguresSql = (database: string): string =>
  fillSql(
    querySql('plan_figures', {
      priced_spans: pricedSql({ own: `${SINCE} AND Role = 'llm'`, foreign: `${SINCE} AND Kind = 'llm'` }),
    }),
    { database },
  )

/** A query for the highest risk of the plans that start at `{from:Int64}` or later. */
export const risksSql = (database: string): string => querySql('plan_risks', { database })

/** Foreign spans are left out where no condition says which. */
const pricedSql = ({ own, foreign }: { own: string; foreign?: string }): string =>
  fillSql(PRICED_SPANS, {
    ...COST_PARTS,
    own_spans: own,
    foreign_spans: foreign === undefined ? '' : `UNION ALL\n  ${foreignFigured(foreign)}`,
  })

/** A query for what each model call of the traces `{traceIds:Array(String)}` cost whose price is known. */
export const callCostsSql = (database: string): string =>
  fillSql(
    querySql('call_costs', {
      priced_spans: pricedSql({
        own: `${OF_TRACES} AND Role = 'llm'`,
        foreign: `${OF_TRACES} AND Kind = 'llm'`,
      }),
    }),
    { database },
  )
