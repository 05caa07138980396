// An agent with its own OpenTelemetry SDK, which instruments its calls.
import { getNodeAutoInstrumentations } from '@opentelemetry/auto-instrumentations-node'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace'
import { PendingSpanProcessor, plan, PlanspanProcessor, wrapExporter } from '@planspan/sdk'

const batch = new BatchSpanProcessor({ exporter: wrapExporter(new OTLPTraceExporter()) })
const sdk = new NodeSDK({
  spanProcessors: [new PlanspanProcessor(), new PendingSpanProcessor(batch)],
  instrumentations: [getNodeAutoInstrumentations()],
})
sdk.start()
await plan({ workflow: 'trip', planId: 'plan-rome' }, async (p) => {
  await p.agent({ name: 'researcher' }, (a) =>
    a.cycle((c) =>
      c.tool({ name: 'search' }, async () => {
        const answer = await fetch(process.env.OTEL_EXPORTER_OTLP_ENDPOINT)
        return answer.text()
      }),
    ),
  )
})
await sdk.shutdown()
