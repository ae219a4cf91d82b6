// Asks npm for the advisories about the locked packages, and judges the answer. A registry without advisories, such as some
// mirrors, cannot answer: then the check is skipped.
import {
  type Answer,
  askNpm,
  type NpmAnswer,
  parse,
  UNANSWERED,
  UNANSWERED_IN_TIME,
  type Verdict,
} from './signatures.ts'

const ARGUMENTS = ['audit', '--json', '--fetch-retries=1', '--fetch-retry-mintimeout=1000']
/** Advisories of less severity are no reason to stop a change. */
const SEVERE: ReadonlySet<string> = new Set(['high', 'critical'])

interface Report {
  readonly statusCode: number
  readonly vulnerabilities: Readonly<Record<string, { readonly severity: string; readonly range: string }>>
}

export function askForAdvisories(): Verdict {
  return judgeAdvisories(askNpm(ARGUMENTS))
}

export function judgeAdvisories({ status, stdout, errorCode }: NpmAnswer): Verdict {
  if (errorCode === 'ETIMEDOUT') return UNANSWERED_IN_TIME
  if (status === null) return { kind: 'failed', findings: [`npm did not come to its end (${errorCode ?? 'killed'})`] }
  const { error, statusCode = 0, vulnerabilities } = parse(stdout) as Answer & Partial<Report>
  if (vulnerabilities !== undefined) {
    const severe = Object.entries(vulnerabilities).filter(([, { severity }]) => SEVERE.has(severity))
    const findings = severe.map(([name, { range, severity }]) => `${name} ${range} has an advisory (${severity})`)
    return findings.length === 0 ? { kind: 'passed' } : { kind: 'failed', findings }
  }
  if (statusCode >= 400 && statusCode < 500)
    return { kind: 'skipped', why: `the registry has no advisories (${statusCode})` }
  if (statusCode >= 500 || UNANSWERED.test(error?.code ?? ''))
    return { kind: 'skipped', why: 'the registry does not answer here', isExpected: true }
  return { kind: 'failed', findings: [`npm audit failed (${error?.code ?? 'no code'})`] }
}
