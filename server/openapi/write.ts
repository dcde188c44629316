import { writeFileSync } from 'node:fs'
import { buildDocument } from './document.ts'

/** `npm run openapi`: writes docs/openapi.json. */
writeFileSync(new URL('../../docs/openapi.json', import.meta.url), `${JSON.stringify(buildDocument(), null, 2)}\n`)
