// Asks npm whether the registry has signed the installed packages, and judges the answer. Reports the check as skipped
// where the registry has no keys, or npm or the registry does not answer.
import { spawnSync } from 'node:child_process'

export interface NpmAnswer {
  /** Exit code; `null` where npm was killed, or did not start. */
  readonly status: number | null
  readonly stdout: string
  /** ETIMEDOUT after a timeout, ENOENT where npm is not installed. */
  readonly errorCode?: string
}

export type Verdict =
  | { readonly kind: 'passed' }
  /** `isExpected`: the registry could answer, so in CI the check must not be skipped. */
  | { readonly kind: 'skipped'; readonly why: string; readonly isExpected?: true }
  | { readonly kind: 'failed'; readonly findings: readonly string[] }

/** Time limit of one npm command in milliseconds. */
const LONGEST_MS = 120_000
/** Most bytes of npm's answer: some 2 kB for each package without a good signature, for ten thousand packages. */
const MOST_BYTES = 20_000_000
/** npm's arguments, with one retry after a second. npm's own retries take over a minute when nobody answers. */
const ARGUMENTS = ['audit', 'signatures', '--json', '--fetch-retries=1', '--fetch-retry-mintimeout=1000']

export function askNpm(commandLine = ARGUMENTS): NpmAnswer {
  const { status, stdout, error } = spawnSync('npm', commandLine, {
    encoding: 'utf8',
    timeout: LONGEST_MS,
    maxBuffer: MOST_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  const errorCode = (error as NodeJS.ErrnoException | undefined)?.code
  return { status, stdout, ...(errorCode !== undefined && { errorCode }) }
}

/** Time limit for the registry's keys in milliseconds. */
const KEYS_WITHIN_MS = 10_000

/** The registry's address by npm's configuration; `undefined` when npm does not answer. */
export function findRegistry(): string | undefined {
  const { status, stdout } = askNpm(['config', 'get', 'registry'])
  return status === 0 && URL.canParse(stdout.trim()) ? stdout.trim() : undefined
}

/**
 * Whether the registry reports that it has no keys. npm is asked only if it has keys. Without keys npm treats a
 * mirror's signatures as wrong, and an answer without a list as an error of its own.
 */
export async function hasNoKeys(registry: string): Promise<boolean> {
  const address = `${registry.replace(/\/$/, '')}/-/npm/v1/keys`
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(KEYS_WITHIN_MS) })
    // npm treats both statuses as a registry without keys.
    if (answer.status === 404 || answer.status === 400) return true
    if (!answer.ok) return false
    const body = (await answer.json()) as { readonly keys?: unknown } | null
    return !Array.isArray(body?.keys) || body.keys.length === 0
  } catch {
    // npm itself reports why it cannot fetch.
    return false
  }
}

export const NO_KEYS: Verdict = { kind: 'skipped', why: 'the registry has no keys' }

export const UNANSWERED_IN_TIME: Verdict = {
  ...{ kind: 'skipped', why: `npm had no answer within ${LONGEST_MS / 1_000} s`, isExpected: true },
}

/** Codes of npm and Node for a registry that does not answer. */
export const UNANSWERED =
  /^(E5\d\d|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)$/

export interface Answer {
  readonly invalid?: readonly Named[]
  readonly missing?: readonly Named[]
  /** npm writes null for a missing code. */
  readonly error?: { readonly code?: string | null; readonly summary?: string | null }
}

interface Named {
  readonly name: string
  readonly version: string
}

export function judgeSignatures({ status, stdout, errorCode }: NpmAnswer): Verdict {
  if (errorCode === 'ETIMEDOUT') return UNANSWERED_IN_TIME
  if (status === null) return { kind: 'failed', findings: [`npm did not come to its end (${errorCode ?? 'killed'})`] }
  const { error, invalid, missing } = parse(stdout)
  if (error !== undefined) return judgeError(error)
  if (!Array.isArray(invalid) || !Array.isArray(missing))
    return { kind: 'failed', findings: ['npm audit signatures did not say which signatures are wrong or missing'] }
  const findings = [
    ...invalid.map(({ name, version }) => `${name} ${version} has a signature that is not the registry's`),
    ...missing.map(({ name, version }) => `${name} ${version} has no signature, and the registry has keys`),
  ]
  if (findings.length > 0) return { kind: 'failed', findings }
  return status === 0 ? { kind: 'passed' } : { kind: 'failed', findings: [`npm exited with ${status}`] }
}

/** Judges npm's error. Shows only its code, because its summary names hosts. */
function judgeError({ code, summary }: NonNullable<Answer['error']>): Verdict {
  if (UNANSWERED.test(code ?? ''))
    return { kind: 'skipped', why: `the keys of the registry cannot be fetched here (${code})`, isExpected: true }
  if (code === 'E404') return NO_KEYS
  if (summary?.includes('installed from a supported registry')) return NO_KEYS
  return { kind: 'failed', findings: [`npm audit signatures failed (${code ?? 'no code'})`] }
}

export function parse(stdout: string): Answer {
  try {
    return Object(JSON.parse(stdout))
  } catch {
    return { error: { code: 'its answer is no JSON' } }
  }
}
