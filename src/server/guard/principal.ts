import type { Context } from 'hono'

import type { Principal } from '../../access/index.js'

const principals = new WeakMap<Request, Principal>()

export const setPrincipal = (c: Context, principal: Principal): void => void principals.set(c.req.raw, principal)

/** Returns the principal of a request; undefined if the request needs no token. */
export const principalOf = (c: Context): Principal | undefined => principals.get(c.req.raw)
