// Defines the routes of the forms that end a wait: enter something again, check its end now, resolve an intent, release
// stranded balances.

import type { Context, Hono } from 'hono'
import type { CheckedId } from '../operations/cases/check-ends.ts'
import { readName } from '../operations/movements/movements.ts'
import { RequestKind, readKind } from '../operations/movements/record-kind.ts'
import { consentOf } from '../place/consent.ts'
import { ExitCode } from '../place/exit-code.ts'
import type { Reader } from '../place/reader.ts'
import { enteredText, viewOfChecked, viewOfEntered } from '../views/again-view.ts'
import type { Deed } from '../views/pages/acted.ts'
import { viewOfRelease, viewOfResolution } from '../views/result-view.ts'
import type { Doors } from './doors.ts'
import { type Form, readForm } from './form-fields.ts'
import type { Given, Performed } from './perform.ts'

export interface CaseParts {
  readonly reader: Reader
  /** Begins an act, and answers with the address of its page. */
  readonly begin: (context: Context<Doors>, deed: Deed, run: (given: Given) => Promise<Performed>) => Promise<Response>
  /** The name that a form gives, where the place takes a name. */
  readonly by: (name: string) => { readonly by?: string }
}

export function addCaseRoutes(app: Hono<Doors>, { reader, begin, by }: CaseParts): void {
  const { flags } = reader
  const person = (form: Form) => ({ ...by(form.text('by')), because: form.text('because') })

  const again = async (context: Context<Doors>, id: string, kind: RequestKind | undefined, about: string) => {
    const withConsent = consentOf((await readForm(context)).text('yes'))
    const ask = { action: `${about}/again`, hidden: {} }
    const named = await namedDeed(reader, 'check again', id, kind)
    return begin(context, { ...named, about, ask }, async (given) => {
      const { readAgainQuestion } = await import('../operations/cases/again-question.ts')
      const question = await readAgainQuestion({ flags, context: given.context }, id, kind)
      await withConsent(async (consent) => question !== undefined && consent.to(question))
      const { enterCases } = await import('../operations/cases/enter-cases.ts')
      const asked = { id, ...(kind !== undefined && { kind }) }
      const result = await enterCases(asked, flags, given.beginProgress(), given.context)
      return { ...viewOfEntered(result), says: enteredText(id, result), exitCode: result.exitCode }
    })
  }

  app.post('/intents/:intent/again', (context) => {
    const intentId = context.req.param('intent')
    return again(context, intentId, undefined, `/intents/${intentId}`)
  })

  app.post('/runs/:run/again', (context) => {
    const runId = context.req.param('run')
    return again(context, runId, RequestKind.Run, `/runs/${runId}`)
  })

  const check = async (context: Context<Doors>, asked: CheckedId, about: string) => {
    const named = await namedDeed(reader, 'check again', asked.id, asked.kind)
    return begin(context, { ...named, about }, async (given) => {
      const { checkEnds } = await import('../operations/cases/check-ends.ts')
      const checked = await checkEnds(asked, flags, given.beginProgress(), given.context)
      return { ...viewOfChecked(asked.id, checked), exitCode: checked.again?.exitCode ?? ExitCode.Done }
    })
  }

  app.post('/intents/:kind/:intent/check', (context) => {
    const [kind, id] = [readKind(context.req.param('kind')), context.req.param('intent')]
    return check(context, { id, kind: kind ?? RequestKind.Withdraw }, `/intents/${id}`)
  })

  app.post('/runs/:run/check', (context) => {
    const id = context.req.param('run')
    return check(context, { id, kind: RequestKind.Run }, `/runs/${id}`)
  })

  app.post('/intents/:intent/resolve', async (context) => {
    const intentId = context.req.param('intent')
    const form = await readForm(context)
    const [movement, none] = [form.text('movement'), form.text('none')]
    const word = { ...person(form), ...(none === '1' ? { none: true as const } : { movement }) }
    const hidden = { ...person(form), ...(none === '1' ? { none } : { movement }) }
    const ask = { action: `/intents/${intentId}/resolve`, hidden }
    const withConsent = consentOf(form.text('yes'))
    const named = await namedDeed(reader, 'settle', intentId)
    return begin(context, { ...named, about: `/intents/${intentId}`, ask }, async (given) => {
      const { resolveIntent } = await import('../operations/cases/resolve-intent.ts')
      const resolved = await resolveIntent(intentId, word, flags, withConsent, given.context)
      return { ...viewOfResolution(resolved), exitCode: ExitCode.Done }
    })
  })

  app.post('/policies/:policy/release', async (context) => {
    const policy = context.req.param('policy')
    const form = await readForm(context)
    const word = person(form)
    const ask = { action: `/policies/${encodeURIComponent(policy)}/release`, hidden: { ...word } }
    const withConsent = consentOf(form.text('yes'))
    const deed = { what: `release what ${policy} left`, about: '/attention', ask }
    return begin(context, deed, async (given) => {
      const { releaseBalances } = await import('../operations/cases/release.ts')
      const released = await releaseBalances(policy, word, flags, withConsent, given.context)
      return { ...viewOfRelease(released), exitCode: ExitCode.Done }
    })
  })
}

/** Where the name cannot be read, the act is called by the id alone, and itself says what is wrong. */
export async function namedDeed(
  reader: Reader,
  verb: string,
  id: string,
  kind?: RequestKind,
): Promise<Pick<Deed, 'what' | 'subject'>> {
  const name = await readName(reader, id, kind).catch(() => undefined)
  return name === undefined ? { what: `${verb} ${id}` } : { what: `${verb}: ${name}`, subject: id }
}
