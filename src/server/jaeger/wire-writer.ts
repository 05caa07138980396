import type { DescMessage } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** The field numbers of a message. */
export const fieldNumbers = <Message extends DescMessage>(message: Message): FieldNumbers<Message> =>
  Object.fromEntries(message.fields.map(({ localName, number }) => [localName, number])) as FieldNumbers<Message>

type FieldNumbers<Message extends DescMessage> = Readonly<Record<keyof Message['field'], number>>

/**
 * Writes protobuf messages field by field, in half the time that protobuf-es takes with a message's description: traces
 * have tens of thousands of spans.
 */
export class WireWriter {
  readonly #writer = new BinaryWriter()

  text(field: number, text: string): void {
    this.#writer.tag(field, WireType.LengthDelimited).string(text)
  }

  /** A field of bytes that come as hex digits; left out if they are not as many bytes. */
  hex(field: number, digits: string, length: number): void {
    const bytes = Buffer.from(digits, 'hex')
    if (digits.length === length * 2 && bytes.length === length)
      this.#writer.tag(field, WireType.LengthDelimited).bytes(bytes)
  }

  /** A field of a bool, an enum or an int32 that is not negative. */
  number(field: number, value: number): void {
    this.#writer.tag(field, WireType.Varint).uint32(value)
  }

  int64(field: number, value: bigint): void {
    this.#writer.tag(field, WireType.Varint).int64(value)
  }

  fixed64(field: number, value: bigint): void {
    this.#writer.tag(field, WireType.Bit64).fixed64(value)
  }

  double(field: number, value: number): void {
    this.#writer.tag(field, WireType.Bit64).double(value)
  }

  /** A field that is a message of its own. */
  message(field: number, write: () => void): void {
    this.#writer.tag(field, WireType.LengthDelimited).fork()
    write()
    this.#writer.join()
  }

  /** Hands over what was written; nothing more may follow. */
  take(): Uint8Array {
    return this.#writer.finish()
  }
}
