import type { ComponentChildren } from 'preact'

import { showKeys } from '../keys/key-help.js'
import { SignOutButton } from '../sign-in/sign-out-button.js'
import { linkTo } from '../url/base.js'
import { Icon } from './icon.js'
import { ThemeButton } from './theme.js'
import { ZoneButton } from './zone.js'

/** The bar at the top of every page. */
export function TopBar({ children }: { readonly children?: ComponentChildren }) {
  return (
    <header class="top-bar">
      <a class="brand" href={linkTo('/plans')}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M7 9h11M12 16h13M9 23h9" />
        </svg>
        <span>planspan</span>
      </a>
      {children}
      <span class="settings">
        <ZoneButton />
        <ThemeButton />
        <button type="button" class="quiet keys-button" aria-label="Keys" title="Keys (?)" onClick={showKeys}>
          <Icon name="keys" />
        </button>
        <SignOutButton />
      </span>
    </header>
  )
}
