import { TENANT_NAME } from '../../access/index.js'
import { PlanspanError } from '../../error.js'

const RESERVED = /^(system|information_schema|default)$/i

/** Throws `usage` for an invalid tenant name. */
export function checkTenantName(name: string): void {
  if (TENANT_NAME.test(name) && !RESERVED.test(name)) return
  throw new PlanspanError(
    'usage',
    `${JSON.stringify(name)} is not a valid tenant name: use up to 64 letters, digits and _, not beginning with a digit, and ` +
      'no name that ClickHouse reserves.',
  )
}
