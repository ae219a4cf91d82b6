// Asks npm whether the registry has signed what is installed, and judges the answer. Where the registry has no keys, or
// neither can be reached, the check is skipped, by name.
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

export function askNpm(words = ARGUMENTS): NpmAnswer {
  const { status, stdout, error } = spawnSync('npm', words, {
    encoding: 'utf8',
    timeout: LONGEST_MS,
    maxBuffer: MOST_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  const errorCode = (error as NodeJS.ErrnoException | undefined)?.code
  return { status, stdout, ...(errorCode !== undefined && { errorCode }) }
}

const KEYS_WITHIN_MS = 10_000

/** The address of the registry, as npm is configured here; undefined where npm does not say. */
export function findRegistry(): string | undefined {
  const { status, stdout } = askNpm(['config', 'get', 'registry'])
  return status === 0 && URL.canParse(stdout.trim()) ? stdout.trim() : undefined
}

/**
 * Whether the registry says that it has no keys. npm itself is asked only where it has some: without keys it takes each
 * signature that a mirror passes on for one with a wrong key, and an answer without a list for an error of its own.
 */
export async function hasNoKeys(registry: string): Promise<boolean> {
  const address = `${registry.replace(/\/$/, '')}/-/npm/v1/keys`
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(KEYS_WITHIN_MS) })
    // npm takes both statuses for a registry without keys.
    if (answer.status === 404 || answer.status === 400) return true
    if (!answer.ok) return false
    const told = (await answer.json()) as { readonly keys?: unknown } | null
    return !Array.isArray(told?.keys) || told.keys.length === 0
  } catch {
    // npm says why nothing can be fetched here.
    return false
  }
}

export const NO_KEYS: SignatureVerdict = { kind: 'skipped', why: 'the registry has no keys' }

/** Codes of npm and of Node for a registry that does not answer, or that has no keys. */
const UNANSWERED =
  /^(E404|E5\d\d|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)$/

interface Answer {
  readonly invalid?: readonly Named[]
  readonly missing?: readonly Named[]
  /** npm writes null where it has no code. */
  readonly error?: { readonly code?: string | null; readonly summary?: string | null }
}

interface Named {
  readonly name: string
  readonly version: string
}

export function judgeSignatures({ status, stdout, errorCode }: NpmAnswer): SignatureVerdict {
  if (errorCode === 'ETIMEDOUT') return { kind: 'skipped', why: `npm had no answer within ${LONGEST_MS / 1_000} s` }
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
  return status === 0 ? { kind: 'signed' } : { kind: 'failed', findings: [`npm exited with ${status}`] }
}

/** Its summary names hosts, so only the code is shown. */
function judgeError({ code, summary }: NonNullable<Answer['error']>): SignatureVerdict {
  if (UNANSWERED.test(code ?? ''))
    return { kind: 'skipped', why: `the keys of the registry cannot be fetched here (${code})` }
  if (summary?.includes('installed from a supported registry')) return NO_KEYS
  return { kind: 'failed', findings: [`npm audit signatures failed (${code ?? 'no code'})`] }
}

function parse(stdout: string): Answer {
  try {
    return Object(JSON.parse(stdout))
  } catch {
    return { error: { code: 'its answer is no JSON' } }
  }
}
