import { type FieldDisplay, getFieldDisplayValues, getDisplayValueAlignmentFactors } from '@grafana/data'
import { BigValue, VizRepeater, type VizRepeaterRenderValueProps } from '@grafana/ui'
import { VizOrientation } from '@grafana/schema'
import type { PanelProps } from './panel-props'

/** Numbers, large. */
export function StatPanel({ panel, frames, width, height, theme }: PanelProps) {
  const values = () =>
    getFieldDisplayValues({
      data: frames,
      fieldConfig: panel.fieldConfig ?? { defaults: {}, overrides: [] },
      reduceOptions: panel.options.reduceOptions,
      replaceVariables: (text) => text,
      sparkline: panel.options.graphMode !== 'none',
      theme,
      timeZone: 'utc',
    })
  const draw = ({ value, width, height, count }: VizRepeaterRenderValueProps<FieldDisplay>) => (
    <BigValue
      value={value.display}
      count={count}
      {...(value.sparkline && { sparkline: value.sparkline })}
      colorMode={panel.options.colorMode}
      graphMode={panel.options.graphMode}
      justifyMode={panel.options.justifyMode}
      textMode={panel.options.textMode}
      alignmentFactors={getDisplayValueAlignmentFactors(values())}
      width={width}
      height={height}
      theme={theme}
    />
  )
  return (
    <VizRepeater
      getValues={values}
      renderValue={draw}
      source={frames}
      width={width}
      height={height}
      renderCounter={0}
      itemSpacing={3}
      orientation={panel.options.orientation ?? VizOrientation.Auto}
    />
  )
}
