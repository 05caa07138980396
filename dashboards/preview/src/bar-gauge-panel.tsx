import { BarGauge } from '@grafana/ui'
import type { PanelProps } from './panel-props'
import { RepeatedValues } from './repeated-values'

const SPACING = 8

/** Named bars, one per row. */
export function BarGaugePanel(props: PanelProps) {
  const { options } = props.panel
  return (
    <RepeatedValues
      {...props}
      itemSpacing={SPACING}
      draw={({ value, width, height, orientation, alignmentFactors }) => {
        const display = value.view?.getFieldDisplayProcessor(value.colIndex ?? 0)
        return (
          <BarGauge
            value={value.display}
            field={value.field}
            {...(display && { display })}
            text={options.text}
            displayMode={options.displayMode}
            showUnfilled={options.showUnfilled}
            valueDisplayMode={options.valueMode}
            namePlacement={options.namePlacement}
            alignmentFactors={alignmentFactors}
            orientation={orientation}
            width={width}
            height={height}
            theme={props.theme}
            itemSpacing={SPACING}
          />
        )
      }}
    />
  )
}
