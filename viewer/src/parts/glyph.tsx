import type { Role } from '../model/words.js'

/** The shape of each role, so that it is recognizable without color. On a 16 by 16 grid. */
const SHAPES: Readonly<Record<Role, string>> = {
  plan: 'M4 5h8M4 8h8M4 11h5',
  planning: 'M4 5h8M4 8h5M4 11h3M10 12l3-3',
  agent: 'M8 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM4.5 12.5c.3-2 1.7-3 3.5-3s3.2 1 3.5 3',
  think_act: 'M12 8a4 4 0 1 1-1.3-3M11.5 3v2.5H9',
  llm: 'M8 3.5 9.2 6.8 12.5 8 9.2 9.2 8 12.5 6.8 9.2 3.5 8l3.3-1.2Z',
  tool: 'M4 8h8M9 5l3 3-3 3',
  guardrail: 'M8 3.5 12 5v3c0 2.3-1.6 3.9-4 4.7C5.6 11.9 4 10.3 4 8V5Z',
  wait: 'M6 4.5v7M10 4.5v7',
}

/** The glyph of a role. */
export function Glyph({ role }: { readonly role: Role | null }) {
  return (
    <svg class="glyph" data-role={role ?? 'other'} viewBox="0 0 16 16" aria-hidden="true">
      <rect x="0.5" y="0.5" width="15" height="15" rx="4" />
      <path d={role === null ? 'M8 7.5h.01' : SHAPES[role]} />
    </svg>
  )
}
