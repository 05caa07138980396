export {
  CLOSED_VALUES,
  CONVENTION_ATTRIBUTES,
  CONVENTION_SPANS,
  type ConventionType,
  conventionType,
  FORMER_ATTRIBUTES,
} from './registry.js'
