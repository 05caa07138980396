import type { Query } from './run-query.js'

/** The parts of a dashboard's JSON that determine its queries and its appearance. */
export interface DashboardModel {
  readonly uid: string
  readonly title: string
  readonly time: { readonly from: string; readonly to: string }
  readonly templating: { readonly list: readonly VariableModel[] }
  readonly panels: readonly PanelModel[]
}

export interface VariableModel {
  readonly name: string
  readonly type: string
  readonly query?: string | { readonly rawSql: string }
  readonly multi?: boolean
  readonly includeAll?: boolean
  readonly current?: { readonly value?: string | readonly string[] }
}

export interface PanelModel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly Query[]
  readonly maxDataPoints?: number
  readonly interval?: string
  readonly fieldConfig?: {
    readonly overrides?: readonly { readonly matcher: { readonly id: string; readonly options?: unknown } }[]
  }
}
