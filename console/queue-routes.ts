// Defines the routes of the queue: its page, and the decision on several plans and movements at once.

import type { Context, Hono } from 'hono'
import type { AccountNow } from '../operations/overview/account.ts'
import { readQueue } from '../operations/overview/queue.ts'
import { consentOf } from '../place/consent.ts'
import type { Progress } from '../place/context.ts'
import { ExitCode } from '../place/exit-code.ts'
import { operationErrorOf, usageError } from '../place/operation-error.ts'
import { viewOfDecision } from '../views/decided.ts'
import { decisionName, groupsOf, type QueueDecision } from '../views/decided-queue.ts'
import { resultText } from '../views/pages/act-result.ts'
import type { FormSeal } from '../views/pages/forms.ts'
import { queuePage } from '../views/pages/queue.ts'
import { policyRunWords } from '../views/runs/policy-run-words.ts'
import type { CaseParts } from './case-routes.ts'

import type { Doors } from './doors.ts'
import { readForm } from './form-fields.ts'
import type { Given, Performed } from './perform.ts'

interface QueueParts extends CaseParts {
  readonly sealOf: (context: Context<Doors>) => FormSeal
  readonly readAccount: () => Promise<AccountNow>
}

/** Maximum decisions of one form. */
const MOST_PICKS = 50

interface Pick {
  readonly isRun: boolean
  readonly hash: string
  readonly id: string
}

export function addQueueRoutes(app: Hono<Doors>, { reader, begin, by, sealOf, readAccount }: QueueParts): void {
  app.get('/queue', async (context) => {
    const seal = sealOf(context)
    const named = { ...seal, by: (context.req.query('by') ?? seal.by).trim() }
    const asked = { by: named.isNamed ? named.by : '', find: (context.req.query('find') ?? '').trim() }
    return context.html(queuePage(await readQueue(reader, asked, await readAccount()), named))
  })

  app.post('/queue/decide', async (context) => {
    const form = await readForm(context)
    const verb = form.text('verb') === 'approve' ? 'approve' : 'reject'
    const picks = form.texts('pick').map(readPick)
    const word = { because: form.text('because'), ...by(form.text('by')) }
    const deed = { what: decisionName(verb, picks.length), about: '/queue' }
    return begin(context, deed, (given) => decideAll(verb, picks, word, given))
  })

  /** An error of one leaves the others to be decided. */
  async function decideAll(
    verb: 'approve' | 'reject',
    picks: readonly Pick[],
    word: { readonly because: string; readonly by?: string },
    { context }: Given,
  ): Promise<Performed> {
    if (picks.length === 0 || picks.length > MOST_PICKS)
      throw usageError('usage', `choose 1 to ${MOST_PICKS} of them; got ${picks.length}`, 'go back, and choose')
    const { decide } = await import('../operations/runs/decide.ts')
    // Read before the first decision, because afterwards less waits.
    const { mine, others } = await readQueue(reader, { by: '', find: '' }, await readAccount())
    const names = new Map([...mine, ...others].map(({ id, what }) => [id, what]))
    const face = { withConsent: consentOf(true), watch: policyRunWords.watch, beginProgress: () => SILENT }
    // The page has shown the terms of all, and the groups name each result.
    const quiet = { ...context, output: { ...context.output, note: () => undefined } }
    const decideOne = async ({ isRun, hash, id }: Pick, onRecorded: () => void): Promise<QueueDecision> => {
      const asked = { ...word, ...(isRun ? { planHash: hash } : { termsHash: hash }) }
      const known = { isRun, id, what: names.get(id) ?? id }
      let isRecorded = false as boolean
      const noteRecorded = () => {
        isRecorded = true
        onRecorded()
      }
      try {
        const decided = await decide(verb, id, asked, reader.flags, { ...face, onRecorded: noteRecorded }, quiet)
        const { before, exitCode } = decided
        const says = resultText({ ...viewOfDecision(decided), exitCode })
        return { ...known, says: before?.says ?? says, exitCode, isRecorded: before === undefined }
      } catch (error) {
        const { message, exitCode } = operationErrorOf(error)
        return { ...known, says: message, ...(isRecorded && { exitCode: endOfRecorded(exitCode) }), isRecorded }
      }
    }
    const results = await decideSeveral(picks, decideOne, () => context.output.note(ALL_DECIDED))
    const done = results.filter((each) => each.isRecorded).length
    const says = `${done} of ${picks.length} decided`
    return { facts: {}, says, notes: [], groups: groupsOf(verb, results), exitCode: worstOf(results) }
  }
}

/** Runs of approved plans may take hours. */
const ALL_DECIDED = 'each decision is written, or refused; the runs that they continue are followed to their ends'

/** The lines of several runs would stand among each other. */
const SILENT: Progress = { line: () => undefined, live: () => undefined, end: () => undefined }

/** After its decision is written, a run whose end is unknown here continues by itself, unless it needs a person. */
function endOfRecorded(exitCode: ExitCode): ExitCode {
  return exitCode === ExitCode.NeedsPerson ? exitCode : ExitCode.AwaitsApproval
}

/** A need for a person takes precedence, then what was not decided, then what waits for another person. */
function worstOf(results: readonly QueueDecision[]): ExitCode {
  const order = [ExitCode.NeedsPerson, ExitCode.DoesNotTieOut, ExitCode.Failed, ExitCode.AwaitsApproval]
  return order.find((code) => results.some(({ exitCode = ExitCode.Failed }) => exitCode === code)) ?? ExitCode.Done
}

function readPick(text: string): Pick {
  const [kind = '', hash = '', ...id] = text.split(' ')
  return { isRun: kind === 'run', hash, id: id.join(' ') }
}

/** Decides on one of them. It calls `onRecorded` once its decision is written, and resolves once its run has ended. */
type DecideOne<Chosen, Result> = (chosen: Chosen, onRecorded: () => void) => Promise<Result>

/**
 * `decideOne` must not reject: an error of one leaves the others to be decided. `onDecided` is called once all are
 * written or refused, and their runs may be under way.
 */
export async function decideSeveral<Chosen, Result>(
  chosen: readonly Chosen[],
  decideOne: DecideOne<Chosen, Result>,
  onDecided: () => void = () => undefined,
): Promise<readonly Result[]> {
  const ends: Promise<Result>[] = []
  for (const each of chosen) {
    const { promise: recorded, resolve } = Promise.withResolvers<void>()
    const end = decideOne(each, resolve)
    ends.push(end)
    await Promise.race([recorded, end])
  }
  onDecided()
  return Promise.all(ends)
}
