import type * as ContextManager from '@opentelemetry/context-async-hooks'
import type * as Exporter from '@opentelemetry/exporter-trace-otlp-http'
import type * as Resources from '@opentelemetry/resources'
import type * as Trace from '@opentelemetry/sdk-trace'
import type { Sampler } from '@opentelemetry/sdk-trace'

import { installAdvice, OPTIONAL_PARTS } from '../base/advice.js'
import { PlanspanError } from '../error.js'

/** The SDK packages of register(): version 2.9 or newer, or version 3, which exports the same names. */
export interface Sdk {
  readonly trace: typeof Trace
  readonly exporter: typeof Exporter
  readonly contextManager: typeof ContextManager
  readonly resources: typeof Resources
}

/** Loads the SDK for `what`. Throws `missing_dependency` if one of its packages is not installed or can't be loaded. */
export async function loadSdk(what = 'register()'): Promise<Sdk> {
  try {
    // Literal names, since bundlers include no others.
    const [trace, exporter, contextManager, resources] = await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
    ])
    return { trace, exporter, contextManager, resources }
  } catch (cause) {
    throw new PlanspanError('missing_dependency', explain(what, cause), { cause })
  }
}

const NOT_FOUND: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])

function explain(what: string, cause: unknown): string {
  const { code, message }: NodeJS.ErrnoException = cause instanceof Error ? cause : new Error(String(cause))
  if (NOT_FOUND.has(code)) {
    return `${what} needs packages that are not installed (${message}). ${installAdvice(OPTIONAL_PARTS.register)}`
  }
  return (
    `${what} cannot load the OpenTelemetry SDK: ${message}. A bundle that is an ES module cannot load SDK 2: ` +
    'keep the packages out of the bundle (esbuild --packages=external), bundle as CommonJS, or use SDK 3.'
  )
}

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
