import { type FieldDisplay, getDisplayValueAlignmentFactors, getFieldDisplayValues } from '@grafana/data'
import { BarGauge, VizRepeater, type VizRepeaterRenderValueProps } from '@grafana/ui'
import type { PanelProps } from './panel-props'

/** Bars with names, one a row. */
export function BarGaugePanel({ panel, frames, width, height, theme }: PanelProps) {
  const { options } = panel
  const values = () =>
    getFieldDisplayValues({
      data: frames,
      fieldConfig: panel.fieldConfig ?? { defaults: {}, overrides: [] },
      reduceOptions: options.reduceOptions,
      replaceVariables: (text) => text,
      theme,
      timeZone: 'utc',
    })
  const draw = ({ value, width, height, orientation }: VizRepeaterRenderValueProps<FieldDisplay>) => {
    const display = value.view?.getFieldDisplayProcessor(value.colIndex ?? 0)
    return (
      <BarGauge
        value={value.display}
        field={value.field}
        {...(display && { display })}
        displayMode={options.displayMode}
        showUnfilled={options.showUnfilled}
        valueDisplayMode={options.valueMode}
        namePlacement={options.namePlacement}
        alignmentFactors={getDisplayValueAlignmentFactors(values())}
        orientation={orientation}
        width={width}
        height={height}
        theme={theme}
        itemSpacing={8}
      />
    )
  }
  return (
    <VizRepeater
      getValues={values}
      renderValue={draw}
      source={frames}
      width={width}
      height={height}
      renderCounter={0}
      itemSpacing={8}
      minVizHeight={options.minVizHeight}
      maxVizHeight={options.maxVizHeight}
      orientation={options.orientation}
    />
  )
}
