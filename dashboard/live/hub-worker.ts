import { onSessionChange } from '../session/changes.ts'
import { Hub } from './hub.ts'

/** The shared worker: one hub for all tabs of the browser. */
const hub = new Hub()
onSessionChange(() => hub.restart())

const scope = globalThis as unknown as { onconnect: (event: MessageEvent) => void }
scope.onconnect = ({ ports: [port] }) => port && hub.connect(port)
