import type { Attributes } from '@opentelemetry/api'
import { ATTR, OPERATIONS, ROLES, SCHEMA_VERSION, type Role } from '../semconv/index.js'

/** The ids that every span of a plan carries. */
export interface PlanIdentity {
  readonly planId: string
  readonly rootPlanId: string
  readonly conversationId?: string | undefined
}

export const identityAttributes = ({ planId, rootPlanId, conversationId }: PlanIdentity): Attributes =>
  conversationId === undefined
    ? { [ATTR.planId]: planId, [ATTR.planRootId]: rootPlanId }
    : { [ATTR.planId]: planId, [ATTR.planRootId]: rootPlanId, [ATTR.conversationId]: conversationId }

const roleAttributes = (role: Role): Attributes => ({
  [ATTR.spanKind]: role,
  [ATTR.operationName]: OPERATIONS[role],
  [ATTR.schemaVersion]: SCHEMA_VERSION,
})

const ROLE_ATTRIBUTES: ReadonlyMap<Role, Attributes> = new Map(ROLES.map((role) => [role, roleAttributes(role)]))

/** The attributes that every span of a role starts with. */
export const startAttributes = (role: Role, identity: Attributes): Attributes =>
  Object.freeze({ ...ROLE_ATTRIBUTES.get(role), ...identity })
