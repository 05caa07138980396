export {
  type Form,
  fromOneForm,
  intForm,
  jsonForm,
  numberIdForm,
  pythonFloatForm,
  textForm,
  valueForm,
} from './forms.js'
export {
  type Home,
  HOMES,
  type HomeValues,
  onceEach,
  storedValues,
  type Values,
  type ValuesOf,
  withDerived,
} from './homes.js'
export { checkTimeZone, epochNanosOf, isoOf, unixNanoOf } from './unix-nano.js'
export { timeTextOf } from './read-time.js'
export {
  agent,
  derived,
  event,
  exception,
  type FieldProperty,
  fieldsOf,
  guardrail,
  list,
  llm,
  nested,
  optional,
  orNull,
  part,
  plan,
  planning,
  type Properties,
  type Property,
  sameAs,
  thinkAct,
  tool,
  wait,
} from './property.js'
export { ofSpan, type PartKeys, type Parts, type RecordObject, recordObject, type Writing } from './record-object.js'
