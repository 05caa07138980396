import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api'

import { contextOf } from '../../base/own-spans.js'
import { PLANSPAN_VERSION } from '../../base/version.js'
import { cutText } from '../../wire/index.js'
import type { RequestEnd, RequestSaid, RequestLog } from './request-log.js'
import { traceParent } from './trace-parent.js'

/** The span of a request. */
interface RequestTrace {
  /** Handles the request, so that its work is traced below its span. */
  run<T>(answer: () => T): T
  end(how: RequestEnd): void
}

/** The lowest status of a server error. */
const SERVER_ERROR = 500
/** The gRPC codes of server errors, by the conventions. */
const GRPC_SERVER_ERRORS: ReadonlySet<number> = new Set([2, 4, 12, 13, 14, 15])

/**
 * Creates a span for each request, by OpenTelemetry's conventions for HTTP and gRPC servers: in the trace of the
 * client, and only if that trace is sampled.
 */
export class RequestTraces {
  readonly #tracer: Tracer

  constructor(provider: TracerProvider) {
    this.#tracer = provider.getTracer('planspan', PLANSPAN_VERSION)
  }

  begin(said: RequestSaid): RequestTrace {
    const parent = traceParent(said.traceHeaders ?? {})
    const outer = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
    const { name, attributes } = CONVENTIONS[said.protocol](said)
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, outer)
    const inner = contextOf(this.#tracer, span, outer)
    return {
      run: (answer) => context.with(inner, answer),
      end: (how) => end(span, said.protocol, how),
    }
  }
}

const METHODS: ReadonlySet<string> = new Set('GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH'.split(' '))

const CONVENTIONS = {
  http({ id, method, path, from, scheme }) {
    const [bare = ''] = path.split('?', 1)
    const isKnown = METHODS.has(method)
    return {
      // The route is determined later.
      name: isKnown ? method : 'HTTP',
      attributes: {
        'http.request.method': isKnown ? method : '_OTHER',
        'url.scheme': scheme ?? 'http',
        'url.path': cutText(bare, 200) ?? '',
        'client.address': from,
        'http.response.header.x-request-id': [id],
      },
    }
  },
  grpc({ id, path, from, isKnown = true }) {
    const [, service = '', method = ''] = path.split('/')
    return {
      name: isKnown ? `${service}/${method}` : 'gRPC',
      attributes: {
        'rpc.system': 'grpc',
        ...(isKnown && { 'rpc.service': service, 'rpc.method': method }),
        'client.address': from,
        'rpc.grpc.response.metadata.x-request-id': [id],
      },
    }
  },
} as const satisfies Record<RequestSaid['protocol'], (said: RequestSaid) => { name: string; attributes: Attributes }>

function end(span: Span, protocol: RequestSaid['protocol'], { status, isBroken }: RequestEnd): void {
  const isHttp = protocol === 'http'
  span.setAttribute(isHttp ? 'http.response.status_code' : 'rpc.grpc.status_code', status)
  const isFailed = isHttp ? status >= SERVER_ERROR : GRPC_SERVER_ERRORS.has(status)
  if (isFailed) {
    span.setAttribute('error.type', String(status))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  if (isBroken) span.setAttribute('planspan.client.gone', true)
  span.end()
}

/** A request in progress. */
export interface BegunRequest {
  /** Runs the handler in the context of the request, so that its work is traced below it. */
  run<T>(answer: () => T): T
  end(how: RequestEnd): void
}

/** Passes each request of any protocol to the log and the traces. */
export class RequestWatch {
  readonly #log: RequestLog
  readonly #traces: RequestTraces | undefined

  constructor(log: RequestLog, traces?: RequestTraces) {
    this.#log = log
    this.#traces = traces
  }

  begin(said: RequestSaid): BegunRequest {
    const log = this.#log.begin(said)
    const trace = this.#traces?.begin(said)
    return {
      run: (answer) => (trace ? trace.run(answer) : answer()),
      end(how) {
        log(how)
        trace?.end(how)
      },
    }
  }
}
