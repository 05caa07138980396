import type { Context } from '@opentelemetry/api'
import { ATTR } from '../semconv/index.js'
import { countDrop } from './drops.js'
import { scopeOf } from './scope.js'
import type { SpanLike, SpanProcessorLike, StartedSpanLike } from './sdk-types.js'

/**
 * Copies the ids of the plan onto every span that starts in its context, including other instrumentation's, so that a
 * plan's id finds all of its spans. Add it before the exporting processor.
 *
 * @example
 * const batch = new BatchSpanProcessor({ exporter: wrapExporter(exporter) })
 * new TracerProvider({ spanProcessors: [new PlanspanProcessor(), batch] })
 */
export class PlanspanProcessor implements SpanProcessorLike {
  onStart(span: StartedSpanLike, parentContext: Context): void {
    try {
      // A plan's own spans already have ids; a sub-plan's ids differ from the context's.
      if (span.attributes[ATTR.planId] !== undefined) return
      const scope = scopeOf(parentContext)
      if (scope) span.setAttributes({ ...scope.run.identityAttributes, [ATTR.within]: scope.role })
    } catch {
      countDrop('tracer', 'the plan ids of a span')
    }
  }

  onEnd(span: SpanLike): void {
    try {
      const cut = span.droppedAttributesCount + span.droppedEventsCount + span.droppedLinksCount
      if (cut > 0 && span.attributes[ATTR.planId] !== undefined)
        countDrop('limit', `parts of the span ${span.name}`, cut)
    } catch {
      // The exporter reports a span that can't be read.
    }
  }

  forceFlush(): Promise<void> {
    return Promise.resolve()
  }

  shutdown(): Promise<void> {
    return Promise.resolve()
  }
}
