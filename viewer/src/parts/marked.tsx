import { partsAround } from '../model/find.js'

interface MarkedProps {
  readonly text: string
  /** In lower case; '' marks nothing. */
  readonly sought: string
}

/** A text in which what is looked for is marked. */
export function Marked({ text, sought }: MarkedProps) {
  const parts = partsAround(text, sought)
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <mark key={index}>{part}</mark>))}</>
}
