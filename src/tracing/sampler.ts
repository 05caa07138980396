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

/** What OTEL_TRACES_SAMPLER can be. */
export type SamplerName = (typeof NAMES)[number]

export const isSamplerName = (value: unknown): value is SamplerName => NAMES.includes(value as SamplerName)

/**
 * The sampler that OTEL_TRACES_SAMPLER names, which the SDK leaves to its caller; everything is sampled without one.
 */
export function createSampler({ trace }: Sdk, name: SamplerName = 'parentbased_always_on', ratio = 1): Sampler {
  const root = name.endsWith('always_on')
    ? new trace.AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new trace.AlwaysOffSampler()
      : new trace.TraceIdRatioBasedSampler(ratio)
  return name.startsWith('parentbased_') ? new trace.ParentBasedSampler({ root }) : root
}
