export { listenJaeger } from './listen-jaeger.js'
