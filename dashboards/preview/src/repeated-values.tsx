import { type FieldDisplay, getDisplayValueAlignmentFactors, getFieldDisplayValues } from '@grafana/data'
import { VizRepeater, type VizRepeaterRenderValueProps } from '@grafana/ui'
import type { PanelProps } from './panel-props'

/** The props of the component that renders a value. */
export interface DrawnValue extends Omit<VizRepeaterRenderValueProps<FieldDisplay>, 'alignmentFactors'> {
  readonly alignmentFactors: ReturnType<typeof getDisplayValueAlignmentFactors>
}

/** Renders the values of a panel side by side or in a column. */
export function RepeatedValues(
  props: PanelProps & { readonly itemSpacing: number; readonly draw: (drawn: DrawnValue) => React.JSX.Element },
) {
  const { panel, frames, width, height, theme, itemSpacing, draw } = props
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
  return (
    <VizRepeater
      getValues={values}
      renderValue={(value) => draw({ ...value, alignmentFactors: getDisplayValueAlignmentFactors(values()) })}
      source={frames}
      width={width}
      height={height}
      renderCounter={0}
      itemSpacing={itemSpacing}
      minVizHeight={options.minVizHeight}
      maxVizHeight={options.maxVizHeight}
      orientation={options.orientation}
    />
  )
}
