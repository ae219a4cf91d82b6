// Groups the results of several decisions by what became of each, and says what a person does about those that failed.
// Pure.
import { counted } from '../core/printable.ts'
import { ExitCode } from '../place/exit-code.ts'
import type { ResultGroup } from './pages/acted.ts'

export interface QueueDecision {
  readonly isRun: boolean
  readonly id: string
  /** In words, such as `the plan of policy core`. */
  readonly what: string
  /** Its result in words. */
  readonly says: string
  /** Absent where it was not decided. */
  readonly exitCode?: ExitCode
  /** False for a decision that stood already, also by another person. */
  readonly isRecorded: boolean
}

type Verb = 'approve' | 'reject'

interface Kind {
  readonly title: (verb: Verb) => string
  readonly look: ResultGroup['look']
  readonly todo?: string
  /** Path behind the address of a run. */
  readonly page?: string
  readonly isOf: (exitCode: ExitCode | undefined, isRecorded: boolean) => boolean
}

const DECIDED = { approve: 'Approved', reject: 'Rejected' } as const

/** In the order of their urgency. The last one takes every other end. */
const KINDS: readonly Kind[] = [
  {
    title: () => 'Not decided',
    look: 'bad',
    todo: 'Nothing was written for these. Open each one, see how it is now, and decide anew where it still waits.',
    page: '/decide',
    isOf: (exitCode) => exitCode === undefined,
  },
  {
    title: (verb) => `${DECIDED[verb]} before, so nothing was recorded now`,
    look: 'wait',
    todo: 'Each names whose decision stands. Open it to see how it goes on.',
    isOf: (_exitCode, isRecorded) => !isRecorded,
  },
  {
    title: (verb) => `${DECIDED[verb]}, and needs a person now`,
    look: 'bad',
    todo: 'The decision is recorded, so no decision is missing. Attention shows what is in doubt, and the choices.',
    isOf: (exitCode) => exitCode === ExitCode.NeedsPerson || exitCode === ExitCode.DoesNotTieOut,
  },
  {
    title: (verb) => `${DECIDED[verb]}, and ended without its goal`,
    look: 'wait',
    todo: 'What did not move is certain. Open each one to see why; it can be asked for again.',
    isOf: (exitCode) => exitCode === ExitCode.Failed,
  },
  {
    title: (verb) => `${DECIDED[verb]}, and still waits`,
    look: 'wait',
    todo: 'The decision is recorded. It continues by itself once the other person has decided, or nothing stands against it.',
    isOf: (exitCode) => exitCode === ExitCode.AwaitsApproval,
  },
  { title: (verb) => DECIDED[verb], look: 'good', isOf: () => true },
]

export function groupsOf(verb: Verb, decisions: readonly QueueDecision[]): readonly ResultGroup[] {
  const left = new Set(decisions)
  return KINDS.flatMap(({ title, look, todo, page = '', isOf }) => {
    const own = [...left].filter(({ exitCode, isRecorded }) => isOf(exitCode, isRecorded))
    for (const each of own) left.delete(each)
    if (own.length === 0) return []
    const items = own.map(({ isRun, id, what, says }) => ({
      href: isRun ? `/runs/${id}${page}` : `/intents/${id}`,
      what,
      says,
    }))
    return [{ title: `${title(verb)}: ${own.length}`, look, items, ...(todo !== undefined && { todo }) }]
  })
}

/** Such as `approve 3 of what waits`, the name of the act. */
export function decisionName(verb: Verb, count: number): string {
  return count === 0 ? `${verb} nothing` : `${verb} ${counted(count, 'waiting decision')}`
}
