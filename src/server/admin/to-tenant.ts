import type { MiddlewareHandler } from 'hono'

import { PlanspanError } from '../../error.js'
import { principalOf } from '../guard/index.js'
import { fail, requestEncoding, retrySeconds } from '../http/index.js'
import type { Tenants } from './tenants.js'

/** Passes all requests with another tenant's token to that tenant's app. */
export const toTenant =
  (tenants: Pick<Tenants, 'of'>): MiddlewareHandler =>
  async (c, next) => {
    try {
      const tenant = await tenants.of(principalOf(c))
      if (!tenant) return next()
      return await tenant.app.fetch(c.req.raw, c.env)
    } catch (error) {
      if (!(error instanceof PlanspanError) || !c.req.path.startsWith('/v1/')) throw error
      c.header('Retry-After', String(retrySeconds(error.code)))
      return fail(c, requestEncoding(c) ?? 'json', 503, error.message)
    }
  }
