import { createTheme, dateTime, ThemeContext } from '@grafana/data'
import { GlobalStyles } from '@grafana/ui'
import { createRoot } from 'react-dom/client'
import { Dashboard } from './dashboard'

const { page } = window
const dark = new URLSearchParams(location.search).get('theme') === 'dark'
const theme = createTheme({ colors: { mode: dark ? 'dark' : 'light' } })
const from = dateTime(page.range.from)
const to = dateTime(page.range.to)
const root = document.querySelector('#dashboard')
if (!root) throw new Error('The page has no element with the id "dashboard".')
createRoot(root).render(
  <ThemeContext.Provider value={theme}>
    <GlobalStyles />
    <Dashboard page={page} range={{ from, to, raw: { from, to } }} theme={theme} />
  </ThemeContext.Provider>,
)
