// Asks npm whether the registry has signed what is installed, and judges the answer. Where the registry or its keys
// cannot be reached, the check is skipped, by name.
import { spawnSync } from 'node:child_process'

export interface NpmAnswer {
  /** `null` where npm did not end by itself. */
  readonly status: number | null
  readonly stdout: string
  /** ETIMEDOUT where it took too long, ENOENT where there is none. */
  readonly errorCode?: string
}

export type SignatureVerdict =
  | { readonly kind: 'signed' }
  | { readonly kind: 'skipped'; readonly why: string }
  | { readonly kind: 'failed'; readonly findings: readonly string[] }

const LONGEST_MS = 120_000
/** Some 2 kB for each package that has no good signature, and ten thousand packages. */
const MOST_BYTES = 20_000_000
/** One more try after a second. npm's own retries take over a minute where nobody answers. */
const ARGUMENTS = ['audit', 'signatures', '--json', '--fetch-retries=1', '--fetch-retry-mintimeout=1000']

export function askNpm(): NpmAnswer {
  const { status, stdout, error } = spawnSync('npm', ARGUMENTS, {
    encoding: 'utf8',
    timeout: LONGEST_MS,
    maxBuffer: MOST_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  const errorCode = (error as NodeJS.ErrnoException | undefined)?.code
  return { status, stdout, ...(errorCode !== undefined && { errorCode }) }
}

/** Codes of npm and of Node for a registry that does not answer, or that has no keys. */
const UNANSWERED =
  /^(E404|E5\d\d|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)$/

interface Answer {
  readonly invalid?: readonly Named[]
  readonly missing?: readonly Named[]
  readonly error?: { readonly code?: string; readonly summary?: string }
}

interface Named {
  readonly name: string
  readonly version: string
}

export function judgeSignatures({ status, stdout, errorCode }: NpmAnswer): SignatureVerdict {
  if (errorCode === 'ETIMEDOUT') return { kind: 'skipped', why: `npm had no answer within ${LONGEST_MS / 1_000} s` }
  if (status === null) return { kind: 'failed', findings: [`npm did not come to its end (${errorCode ?? 'killed'})`] }
  const { error, invalid = [], missing = [] } = parse(stdout)
  if (error !== undefined) return judgeError(error)
  const findings = [
    ...invalid.map(({ name, version }) => `${name} ${version} has a signature that is not the registry's`),
    ...missing.map(({ name, version }) => `${name} ${version} has no signature, and the registry has keys`),
  ]
  if (findings.length > 0) return { kind: 'failed', findings }
  return status === 0 ? { kind: 'signed' } : { kind: 'failed', findings: [`npm exited with ${status}`] }
}

/** Its summary names hosts, so only the code is shown. */
function judgeError({ code = 'no code', summary = '' }: NonNullable<Answer['error']>): SignatureVerdict {
  if (UNANSWERED.test(code))
    return { kind: 'skipped', why: `the keys of the registry cannot be fetched here (${code})` }
  if (summary.includes('installed from a supported registry'))
    return { kind: 'skipped', why: 'the registry has no keys' }
  return { kind: 'failed', findings: [`npm audit signatures failed (${code})`] }
}

function parse(stdout: string): Answer {
  try {
    return JSON.parse(stdout)
  } catch {
    return { error: { code: 'its answer is no JSON' } }
  }
}
