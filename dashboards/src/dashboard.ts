import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  type Panel,
  type VariableModel,
} from '@grafana/grafana-foundation-sdk/dashboard'

/** The parts of a dashboard that differ between dashboards. */
export interface DashboardParts {
  readonly uid: string
  readonly title: string
  readonly description: string
  readonly from: string
  readonly refresh: string
  readonly variables: readonly Builder<VariableModel>[]
  readonly panels: readonly Builder<Panel>[]
}

const TAG = 'planspan'

/**
 * Builds a dashboard in Grafana's classic model, with its panels laid out from left to right and links to the others.
 */
export function makeDashboard(parts: DashboardParts): Dashboard {
  const builder = new DashboardBuilder(parts.title)
    .uid(parts.uid)
    .description(parts.description)
    .tags([TAG])
    .time({ from: parts.from, to: 'now' })
    .refresh(parts.refresh)
    .timezone('browser')
    .tooltip(DashboardCursorSync.Crosshair)
    .variables([...parts.variables])
    .link(
      new DashboardLinkBuilder('planspan')
        .type(DashboardLinkType.Dashboards)
        .tags([TAG])
        .asDropdown(false)
        .includeVars(false)
        .keepTime(true),
    )
  for (const panel of parts.panels) builder.withPanel(panel)
  const dashboard = builder.build()
  dashboard.panels?.forEach((panel, index) => {
    panel.id = index + 1
  })
  return dashboard
}
