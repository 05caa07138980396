import { PlanspanError } from '../../error.js'

/** Throws `usage` for what is no name of a ClickHouse cluster, nor a macro such as `{cluster}`. */
export function checkClusterName(cluster: string): void {
  if (/^(?:[\w.-]+|\{\w+\})$/.test(cluster)) return
  throw new PlanspanError('usage', `${JSON.stringify(cluster)} is no name of a ClickHouse cluster.`)
}
