import { createDataFrame, type DataFrame, type FieldConfigSource, type FieldType, type PanelModel } from '@grafana/data'

/** The data of a page, inserted by the script that ran the queries. */
export interface PageData {
  readonly title: string
  readonly description: string
  readonly range: { readonly from: number; readonly to: number }
  readonly variables: readonly { readonly label: string; readonly value: string }[]
  readonly panels: readonly PanelData[]
}

/** A panel's model, and the results of its queries. */
export interface PanelData extends Omit<PanelModel, 'fieldConfig'> {
  readonly description?: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly fieldConfig?: FieldConfigSource
  readonly frames: readonly FrameData[]
}

interface FrameData {
  readonly refId: string
  readonly fields: readonly {
    readonly name: string
    readonly type: string
    readonly labels?: Record<string, string>
    readonly values: unknown[]
  }[]
}

declare global {
  interface Window {
    readonly page: PageData
  }
}

/** Converts the frames to Grafana's type. */
export function toDataFrames(frames: readonly FrameData[]): DataFrame[] {
  return frames.map(({ refId, fields }) =>
    createDataFrame({
      refId,
      fields: fields.map((field) => ({ ...field, type: field.type as FieldType, config: {} })),
    }),
  )
}
