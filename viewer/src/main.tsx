import { render } from 'preact'

import './styles/index.css'
import { App } from './app.js'
import { listenToKeys } from './keys/keys.js'
import { loadSession } from './sign-in/session.js'
import { followLinks } from './url/location.js'

followLinks()
listenToKeys()
void loadSession()
const page = document.querySelector('#page')
if (page) render(<App />, page)
