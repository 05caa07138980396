// Adds planspan to a program that already uses an OpenTelemetry SDK: three additions, no replacements.
// node examples/existing-sdk.mjs   # sends to OTEL_EXPORTER_OTLP_ENDPOINT, else http://127.0.0.1:4318
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { PendingSpanProcessor, plan, PlanspanProcessor, wrapExporter } from '@planspan/sdk'

const url = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? 'http://127.0.0.1:4318'}/v1/traces`
const exporter = wrapExporter(new OTLPTraceExporter({ url }), { redact: { keys: ['iban'] } })
const provider = new TracerProvider({
  spanProcessors: [new PlanspanProcessor(), new PendingSpanProcessor(new BatchSpanProcessor({ exporter }))],
})
trace.setGlobalTracerProvider(provider)
context.setGlobalContextManager(new AsyncLocalStorageContextManager())

const planId = await plan({ workflow: 'payout' }, async (p) => {
  await p.agent({ name: 'accountant' }, (a) =>
    a.cycle((c) =>
      c.tool({ name: 'transfer', arguments: { iban: 'DE02120300000000202051', euros: 12 } }, async () =>
        // Spans of other instrumentation below a plan get the plan's ids as well.
        trace.getTracer('bank').startActiveSpan('POST /transfers', (span) => {
          span.end()
          return 'done'
        }),
      ),
    ),
  )
  return p.planId
})

await provider.shutdown()
console.log(`planspan show ${planId}`)
