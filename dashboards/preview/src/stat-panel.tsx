import { BigValue } from '@grafana/ui'
import type { PanelProps } from './panel-props'
import { RepeatedValues } from './repeated-values'

/** Numbers, large. */
export function StatPanel(props: PanelProps) {
  const { options } = props.panel
  return (
    <RepeatedValues
      {...props}
      itemSpacing={3}
      draw={({ value, width, height, count, alignmentFactors }) => (
        <BigValue
          value={value.display}
          count={count}
          colorMode={options.colorMode}
          graphMode={options.graphMode}
          justifyMode={options.justifyMode}
          textMode={options.textMode}
          alignmentFactors={alignmentFactors}
          width={width}
          height={height}
          theme={props.theme}
        />
      )}
    />
  )
}
