import { Hono } from 'hono'
import { accepts } from 'hono/accepts'

import { IngestMeter } from '../../store/metrics/index.js'
import type { Store } from '../../store/index.js'
import type { RunningIndexer } from '../../indexer/index.js'
import { addRoute } from '../http/index.js'
import { exposition, FORMATS } from './exposition.js'
import {
  indexerFamilies,
  hostFamilies,
  watcherFamilies,
  processFamilies,
  type Host,
  type Watched,
} from './server-families.js'
import { ingestFamilies, requestFamilies } from './ingest-families.js'
import type { RequestMeter } from './request-meter.js'
import { StoreFamilies } from './store-families.js'

export interface MetricsRouteOptions extends Watched {
  readonly store: Pick<Store, 'metrics'>
  readonly requests: RequestMeter
  /** @default an empty meter */
  readonly ingest?: IngestMeter | undefined
  /** Writes the rows of plans. @default no metrics of it */
  readonly indexer?: Pick<RunningIndexer, 'status'> | undefined
  /** @default no metrics of the process */
  readonly host?: Host | undefined
}

/** `/metrics` for Prometheus, as OpenMetrics if the client accepts it. */
export function metricsRoute({
  store,
  requests,
  ingest = new IngestMeter(),
  indexer,
  host,
  ...watched
}: MetricsRouteOptions): Hono {
  const app = new Hono()
  const stored = new StoreFamilies(store)
  addRoute(app, 'GET /metrics', async (c) => {
    const supports = [OPEN_METRICS, 'text/plain']
    const type = accepts(c, { header: 'Accept', supports, default: 'text/plain' })
    const format = type === OPEN_METRICS ? 'openmetrics' : 'text'
    const families = [
      ...requestFamilies(requests),
      ...ingestFamilies(ingest),
      ...watcherFamilies(watched),
      ...(await stored.look()),
      ...(indexer ? indexerFamilies(indexer.status) : []),
      ...(host ? [...hostFamilies(host), ...processFamilies()] : []),
    ]
    return c.body(exposition(families, format), 200, { 'Content-Type': FORMATS[format] })
  })
  return app
}

const OPEN_METRICS = 'application/openmetrics-text'
