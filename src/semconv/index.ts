export { ATTR } from './attributes.js'
export type { AttributeKey } from './attributes.js'
export { OPERATIONS, ROLES, spanName } from './roles.js'
export type { Role } from './roles.js'
export {
  EVENTS,
  LINK_TYPES,
  PENDING,
  REVIEW_ACTIONS,
  SCHEMA_VERSION,
  SCOPE_NAME,
  STATES,
  UNTYPED_ERROR,
  VERDICTS,
  WAIT_REASONS,
  WAIT_RESOLUTIONS,
} from './values.js'
export type { ReviewAction, State, Verdict, WaitReason, WaitResolution } from './values.js'
