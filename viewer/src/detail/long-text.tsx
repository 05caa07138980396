import { LinesView } from './lines-view.js'

/** The number of characters above which a text is drawn line by line. */
export const LONG = 20_000

/** A text; the lines of a long text are drawn when they become visible. */
export const LongText = ({ text }: { readonly text: string }) =>
  text.length > LONG ? <LinesView text={text} /> : <div class="text">{text}</div>
