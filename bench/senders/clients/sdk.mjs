// An agent with OpenTelemetry's SDK for Node.js as it is by default: node sdk.mjs URL SPANS_PER_SECOND SECONDS. Prints
// how many spans it ended; what its queue has no room for, it drops.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { setTimeout as delay } from 'node:timers/promises'

const [url, spansPerSecond, seconds] = process.argv.slice(2)
const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))] })
const tracer = provider.getTracer('bench')
const start = performance.now()
let ended = 0
for (let passed = 0; passed < seconds; passed = (performance.now() - start) / 1000) {
  const due = Math.floor(passed * spansPerSecond)
  for (; ended < due; ended++) tracer.startSpan('work', { attributes: { 'http.route': '/orders', n: ended } }).end()
  await delay(5)
}
await provider.shutdown()
console.log(ended)
