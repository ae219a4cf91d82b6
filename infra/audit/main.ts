// `npm run audit`: checks third-party packages before they are trusted. Prints the result of each check, and exits with
// 1 when a check failed.
import { readFileSync } from 'node:fs'
import { judgeLicences } from './licences.ts'
import { askNpm, findRegistry, hasNoKeys, judgeSignatures, NO_KEYS } from './signatures.ts'

const { findings, judged } = judgeLicences(JSON.parse(readFileSync('package-lock.json', 'utf8')))
tell('licences', findings, `${judged} packages, each under a licence that is allowed`)

const registry = findRegistry()
const isWithoutKeys = registry !== undefined && (await hasNoKeys(registry))
const verdict = isWithoutKeys ? NO_KEYS : judgeSignatures(askNpm())
if (verdict.kind === 'skipped') console.log(`signatures: skipped: ${verdict.why}`)
else tell('signatures', verdict.kind === 'failed' ? verdict.findings : [], 'the registry has signed each package')

function tell(check: string, faults: readonly string[], good: string): void {
  for (const line of faults.length === 0 ? [good] : faults) console.log(`${check}: ${line}`)
  if (faults.length > 0) process.exitCode = 1
}
