import { LinesView } from './lines-view.js'

/** A longer text is shown in lines, characters. */
export const LONG = 20_000

/** A text; a long one with its lines drawn as they are wanted. */
export const LongText = ({ text }: { readonly text: string }) =>
  text.length > LONG ? <LinesView text={text} /> : <div class="text">{text}</div>
