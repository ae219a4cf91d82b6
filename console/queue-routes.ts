// Defines the routes of the queue: its page, and the decision on several plans and movements at once.

import type { Context, Hono } from 'hono'
import { readQueue } from '../operations/cases/queue.ts'
import { consentOf } from '../operations/consent.ts'
import { ExitCode } from '../operations/exit-code.ts'
import { operationErrorOf, usageError } from '../operations/operation-error.ts'
import { viewOfDecision } from '../views/decided.ts'
import type { FormSeal } from '../views/pages/forms.ts'
import { queuePage } from '../views/pages/queue.ts'
import { policyRunWords } from '../views/runs/policy-run-words.ts'
import type { CaseParts } from './case-routes.ts'
import type { Doors } from './doors.ts'
import { readForm } from './form-fields.ts'
import type { Given, Performed } from './perform.ts'

interface QueueParts extends CaseParts {
  readonly sealOf: (context: Context<Doors>) => FormSeal
}

/** Maximum decisions of one form. */
const MOST_PICKS = 50

interface Pick {
  readonly isRun: boolean
  readonly hash: string
  readonly id: string
}

interface Result {
  readonly note: string
  readonly isDecided: boolean
  readonly exitCode: ExitCode
}

export function addQueueRoutes(app: Hono<Doors>, { reader, begin, by, sealOf }: QueueParts): void {
  app.get('/queue', async (context) => {
    const seal = sealOf(context)
    const named = { ...seal, by: (context.req.query('by') ?? seal.by).trim() }
    const asked = { by: named.isNamed ? named.by : '', find: (context.req.query('find') ?? '').trim() }
    return context.html(queuePage(await readQueue(reader, asked), named))
  })

  app.post('/queue/decide', async (context) => {
    const form = await readForm(context)
    const verb = form.text('verb') === 'approve' ? 'approve' : 'reject'
    const picks = form.texts('pick').map(readPick)
    const word = { because: form.text('because'), ...by(form.text('by')) }
    const deed = { what: `${verb} ${picks.length} of the queue`, about: '/queue' }
    return begin(context, deed, (given) => decideAll(verb, picks, word, given))
  })

  /** An error of one leaves the others to be decided. */
  async function decideAll(
    verb: 'approve' | 'reject',
    picks: readonly Pick[],
    word: { readonly because: string; readonly by?: string },
    { context, beginProgress }: Given,
  ): Promise<Performed> {
    if (picks.length === 0 || picks.length > MOST_PICKS)
      throw usageError('usage', `choose 1 to ${MOST_PICKS} of them; got ${picks.length}`, 'go back, and choose')
    const decide = await import('../operations/runs/decide.ts')
    const face = { withConsent: consentOf(true), watch: policyRunWords.watch, beginProgress }
    const results: Result[] = []
    for (const { isRun, hash, id } of picks) {
      const asked = { ...word, ...(isRun ? { planHash: hash } : { termsHash: hash }) }
      try {
        const decided = await decide[verb](id, asked, reader.flags, face, context)
        const { notes, lines } = viewOfDecision(decided)
        results.push({
          note: `${id}: ${notes[0] ?? lines(WIDTH)[0] ?? verb}`,
          isDecided: true,
          exitCode: decided.exitCode,
        })
      } catch (error) {
        const { message } = operationErrorOf(error)
        results.push({ note: `${id}: not decided: ${message}`, isDecided: false, exitCode: ExitCode.Failed })
      }
    }
    const done = results.filter(({ isDecided }) => isDecided).length
    const says = `${done} of ${picks.length} decided${done === picks.length ? '' : '; what was not is named below'}`
    return { facts: {}, says, notes: results.map(({ note }) => note), exitCode: worstOf(results) }
  }
}

const WIDTH = 1_000

/** A need for a person takes precedence, then what was not decided, then what waits for another person. */
function worstOf(results: readonly Result[]): ExitCode {
  const order = [ExitCode.NeedsPerson, ExitCode.DoesNotTieOut, ExitCode.Failed, ExitCode.AwaitsApproval]
  return order.find((code) => results.some(({ exitCode }) => exitCode === code)) ?? ExitCode.Done
}

function readPick(text: string): Pick {
  const [kind = '', hash = '', ...id] = text.split(' ')
  return { isRun: kind === 'run', hash, id: id.join(' ') }
}
