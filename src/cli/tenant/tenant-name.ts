import { TENANT_NAME } from '../../access/index.js'
import { PlanspanError } from '../../error.js'

const CLICKHOUSES_OWN = /^(system|information_schema|default)$/i

/** Throws `usage` for what is no name of a tenant. */
export function checkTenantName(name: string): void {
  if (TENANT_NAME.test(name) && !CLICKHOUSES_OWN.test(name)) return
  throw new PlanspanError(
    'usage',
    `${JSON.stringify(name)} is no name of a tenant: up to 64 letters, digits and _ are one, with no digit first, but ` +
      'none that ClickHouse takes for itself.',
  )
}
