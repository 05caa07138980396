import { readSql } from './sql-file.js'

/** The cost of a model call, by the columns of a `call` and its `price`, and the prices: SQL for views. */
export const COST_PARTS = {
  call_cost: readSql('fragments/call_cost.sql').trimEnd(),
  prices: readSql('fragments/prices.sql').trimEnd(),
}
