// Names a run by its policy and its start, as people speak of it. Pure.

export interface NamedRun {
  readonly runId: string
  readonly policy: string
  /** ISO-8601. */
  readonly startedAt: string
}

/** `balanced, 24 Nov 09:00`, in UTC. */
export function runName({ policy, startedAt }: Pick<NamedRun, 'policy' | 'startedAt'>): string {
  return `${policy}, ${dayAndMinute(startedAt)}`
}

/** `balanced, 24 Nov 09:00 (rb-1)`, for a text without links. */
export function namedRun(run: NamedRun): string {
  return `${runName(run)} (${run.runId})`
}

/** `24 Nov 09:00`, in UTC. An unreadable text stays unchanged. */
export function dayAndMinute(iso: string): string {
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) return iso
  const at = new Date(ms)
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.toISOString().slice(11, 16)}`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
