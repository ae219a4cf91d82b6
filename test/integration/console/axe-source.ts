// Reads the source of axe-core, to be run in a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export const AxeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
