// `node packages/service-sandbox/test/write-openapi.ts` writes packages/service-sandbox/openapi.json again. A test fails
// when that is due.
import { writeFileSync } from 'node:fs'
import { openApiDocument } from './openapi-document.ts'

writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(), null, 2)}\n`)
