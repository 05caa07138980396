import type { Field, FieldValue } from '../../semconv/index.js'
import { formOf, type Form } from './forms.js'
import { HOMES, type Home } from './homes.js'

/** Ids and times are written differently in each era. */
export type EraForm = 'id' | 'time'

/** How a key without a value is written, if not as the era does. */
type Absence = 'null' | 'nothing'

/** How a value is derived from other fields. */
interface Derivation<V extends FieldValue> {
  readonly sources: readonly FieldProperty[]
  derive(values: readonly (FieldValue | undefined)[]): V | undefined
}

/** A key whose value is a field of one home. */
export interface FieldProperty<H extends Home = Home, V extends FieldValue = FieldValue> {
  readonly kind: 'field'
  readonly home: H
  readonly field: string
  readonly form: Form<V> | EraForm
  /** How the value is derived if the field has none of its own. */
  readonly from?: Derivation<V>
  readonly absent?: Absence
}

/** A key whose value is an object without a span of its own. */
export interface NestedProperty<P extends Properties = Properties> {
  readonly kind: 'nested'
  readonly properties: P
  readonly absent?: Absence
}

/** A key whose value the dialect builds from other spans or from several fields. */
export interface PartProperty {
  readonly kind: 'part'
  readonly of: readonly (Home | FieldProperty)[]
  /** Whether the value is a list with an object for each span. */
  readonly isList: boolean
  readonly absent?: Absence
}

/** The meaning of one key of a record's object. */
export type Property = FieldProperty | NestedProperty | PartProperty

/** An object's keys, in canonical order. */
export interface Properties {
  readonly [key: string]: Property
}

type FieldsOf<H extends Home> = (typeof HOMES)[H]
type ValueOf<H extends Home, N extends keyof FieldsOf<H>> = FieldsOf<H>[N] extends Field<infer V> ? V : never

/** Returns a function that makes properties of a home's fields. The default form is that of the field's type. */
export const fieldsOf =
  <H extends Home>(home: H) =>
  <N extends keyof FieldsOf<H> & string>(
    field: N,
    form?: Form<ValueOf<H, N>> | (ValueOf<H, N> extends string ? EraForm : never),
  ): FieldProperty<H, ValueOf<H, N>> => ({
    kind: 'field',
    home,
    field,
    form: form ?? formOf(HOMES[home][field] as unknown as Field<ValueOf<H, N>>),
  })

export const plan = fieldsOf('plan')
export const planning = fieldsOf('planning')
export const wait = fieldsOf('wait')
export const agent = fieldsOf('agent')
export const thinkAct = fieldsOf('think_act')
export const llm = fieldsOf('llm')
export const guardrail = fieldsOf('guardrail')
export const tool = fieldsOf('tool')
export const event = fieldsOf('event')
export const exception = fieldsOf('exception')

/** Writes null if there is no value, in every era. */
export const orNull = <P extends Property>(property: P): P => ({ ...property, absent: 'null' })

/** Leaves out the key if there is no value, in every era. */
export const optional = <P extends Property>(property: P): P => ({ ...property, absent: 'nothing' })

type SourceValues<Sources extends readonly FieldProperty[]> = {
  readonly [I in keyof Sources]: Sources[I] extends FieldProperty<infer _, infer V> ? V | undefined : never
}

/** A field that is derived from others unless it has its own value. Derived values are not stored. */
export const derived = <H extends Home, V extends FieldValue, const Sources extends readonly FieldProperty[]>(
  property: FieldProperty<H, V>,
  sources: Sources,
  derive: (...values: SourceValues<Sources>) => NoInfer<V> | undefined,
): FieldProperty<H, V> => ({
  ...property,
  from: { sources, derive: (values) => derive(...(values as SourceValues<Sources>)) },
})

/** A field that equals another one unless it has its own value. */
export const sameAs = <H extends Home, V extends FieldValue>(
  property: FieldProperty<H, V>,
  other: FieldProperty<Home, NoInfer<V>>,
): FieldProperty<H, V> => derived(property, [other], (value) => value)

export const nested = <const P extends Properties>(properties: P): NestedProperty<P> => ({ kind: 'nested', properties })

/** A list with an object for each span of a role, or for each span event. */
export const list = (home: Home): PartProperty => ({ kind: 'part', of: [home], isList: true })

/** A value that the dialect builds from spans or fields. Without arguments, a constant. */
export const part = (...of: readonly (Home | FieldProperty)[]): PartProperty => ({ kind: 'part', of, isList: false })
