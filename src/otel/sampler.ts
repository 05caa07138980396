import type { Sampler } from '@opentelemetry/sdk-trace'
import type { Sdk } from './load-sdk.js'

const NAMES = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** The supported values of OTEL_TRACES_SAMPLER. */
export type SamplerName = (typeof NAMES)[number]

export const isSamplerName = (value: unknown): value is SamplerName => NAMES.includes(value as SamplerName)

/** The sampler named by OTEL_TRACES_SAMPLER, which the SDK leaves to its caller. By default everything is sampled. */
export function createSampler({ trace }: Sdk, name: SamplerName = 'parentbased_always_on', ratio = 1): Sampler {
  const root = name.endsWith('always_on')
    ? new trace.AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new trace.AlwaysOffSampler()
      : new trace.TraceIdRatioBasedSampler(ratio)
  return name.startsWith('parentbased_') ? new trace.ParentBasedSampler({ root }) : root
}
