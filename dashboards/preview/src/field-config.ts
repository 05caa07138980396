import {
  applyFieldOverrides,
  cacheFieldDisplayNames,
  type DataFrame,
  type Field,
  FieldConfigOptionsRegistry,
  FieldType,
  type FieldConfigPropertyItem,
  type FieldConfigSource,
  type GrafanaTheme2,
} from '@grafana/data'

const STANDARD = [
  'displayName',
  'description',
  'unit',
  'min',
  'max',
  'decimals',
  'thresholds',
  'mappings',
  'noValue',
  'links',
  'color',
  'fieldMinMax',
  'filterable',
]

const NONE: FieldConfigSource = { defaults: {}, overrides: [] }

/** Applies Grafana's field options to the frames: units, thresholds, mappings, colors and overrides. */
export function withFieldConfig(
  frames: DataFrame[],
  theme: GrafanaTheme2,
  config: FieldConfigSource = NONE,
): DataFrame[] {
  const applied = applyFieldOverrides({
    data: frames,
    fieldConfig: config,
    fieldConfigRegistry: registryFor(config),
    replaceVariables: (text) => text,
    theme,
    timeZone: 'utc',
  })
  cacheFieldDisplayNames(applied)
  return applied
}

// In Grafana, each panel plugin registers its options. These are the options that the model uses.
function registryFor(config: FieldConfigSource): FieldConfigOptionsRegistry {
  const custom = new Set([
    ...Object.keys(config.defaults.custom ?? {}).map((key) => `custom.${key}`),
    ...config.overrides
      .flatMap(({ properties }) => properties.map(({ id }) => id))
      .filter((id) => id.startsWith('custom.')),
  ])
  const registry = new FieldConfigOptionsRegistry()
  for (const id of STANDARD) registry.register(property(id, id, false))
  for (const id of custom) registry.register(property(id, id.slice('custom.'.length), true))
  return registry
}

function property(id: string, path: string, isCustom: boolean): FieldConfigPropertyItem {
  return {
    id,
    path,
    isCustom,
    name: path,
    editor: () => null,
    override: () => null,
    process: (value: unknown) => value,
    // A time axis has no label.
    shouldApply: (field: Field) => path !== 'axisLabel' || field.type !== FieldType.time,
    settings: {},
  } as unknown as FieldConfigPropertyItem
}
