// `npm run audit`: checks third-party packages before they are trusted. Prints the result of each check, and exits with
// 1 when a check failed.
import { readFileSync } from 'node:fs'
import { askForAdvisories } from './advisories.ts'
import { judgeLicences } from './licences.ts'
import { askNpm, findRegistry, hasNoKeys, judgeSignatures, NO_KEYS, type Verdict } from './signatures.ts'

const { findings, judged: count } = judgeLicences(JSON.parse(readFileSync('package-lock.json', 'utf8')))
tell('licences', findings, `${count} packages, each under a licence that is allowed`)

const registry = findRegistry()
const isWithoutKeys = registry !== undefined && (await hasNoKeys(registry))
judged('signatures', isWithoutKeys ? NO_KEYS : judgeSignatures(askNpm()), 'the registry has signed each package')
judged('advisories', askForAdvisories(), 'no package has an advisory of high severity')

/** In CI a check is skipped only where the registry cannot answer. */
function judged(check: string, verdict: Verdict, good: string): void {
  if (verdict.kind !== 'skipped') tell(check, verdict.kind === 'failed' ? verdict.findings : [], good)
  else {
    console.log(`${check}: skipped: ${verdict.why}`)
    if (verdict.isExpected === true && process.env.CI) process.exitCode = 1
  }
}

function tell(check: string, faults: readonly string[], good: string): void {
  for (const line of faults.length === 0 ? [good] : faults) console.log(`${check}: ${line}`)
  if (faults.length > 0) process.exitCode = 1
}
