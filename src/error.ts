// The class belongs to the SDK package, so that agents see one class whichever package throws.
export { PlanspanError } from '@planspan/sdk/error'
export type { PlanspanErrorCode } from '@planspan/sdk/error'
