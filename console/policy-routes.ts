// Defines the routes of a policy: its page, its plan, a run of it, and a file of payouts.

import type { Context, Hono } from 'hono'
import { newRunId } from '../operations/movements/intent-id.ts'
import { runExitCode } from '../operations/run-exit-code.ts'
import { consentOf } from '../place/consent.ts'
import { ExitCode } from '../place/exit-code.ts'
import type { FormSeal } from '../views/pages/forms.ts'
import { planOf, policyPage } from '../views/pages/policy.ts'
import { templateText } from '../views/payout-template.ts'
import { viewOfPaidFile } from '../views/result-view.ts'
import { viewOfPlan } from '../views/runs/planned.ts'
import { policyRunWords } from '../views/runs/policy-run-words.ts'
import type { Acts } from './acts.ts'
import type { CaseParts } from './case-routes.ts'
import type { Doors } from './doors.ts'
import { readForm } from './form-fields.ts'
import type { TopicPoller } from './topic-reader.ts'
import type { Topics } from './topics.ts'

interface PolicyParts extends CaseParts {
  readonly poller: TopicPoller
  readonly acts: Acts
  readonly topics: Topics
  readonly sealOf: (context: Context<Doors>) => FormSeal
}

const { watch } = policyRunWords

export function addPolicyRoutes(app: Hono<Doors>, parts: PolicyParts): void {
  const { reader, poller, acts, topics, begin, by, sealOf } = parts
  const { flags } = reader
  const pathOf = (name: string) => `/policies/${encodeURIComponent(name)}`

  app.get('/policies/:policy', async (context) =>
    context.html(
      policyPage(await poller.read(topics.policy(context.req.param('policy'))), acts.all(), sealOf(context)),
    ),
  )

  app.get('/policies/:policy/payouts.csv', async (context) => {
    const name = context.req.param('policy')
    const { readPayoutTemplate } = await import('../operations/payouts/payout-template.ts')
    return context.body(templateText(await readPayoutTemplate(name, reader)), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="payouts.csv"',
    })
  })

  app.post('/policies/:policy/plan', (context) => {
    const name = context.req.param('policy')
    return begin(context, { what: planOf(name), about: pathOf(name) }, async (given) => {
      const { planPolicy } = await import('../operations/plan/plan-policy.ts')
      const planned = await planPolicy(name, flags, { progress: given.beginProgress(), watch }, given.context)
      // Its note says the same with the code, for a terminal.
      return { ...viewOfPlan(planned), notes: [], plan: planned.plan, exitCode: ExitCode.Done }
    })
  })

  app.post('/policies/:policy/payouts', async (context) => {
    const name = context.req.param('policy')
    const form = await readForm(context)
    // A page keeps no line breaks in a hidden field.
    const sent = Buffer.from(form.text('file'), 'base64').toString()
    const asked = {
      text: sent === '' ? form.text('rows') : sent,
      id: form.text('id') || newRunId(),
      ...by(form.text('by')),
    }
    const { text, ...others } = asked
    const file = Buffer.from(text).toString('base64')
    const ask = { action: `${pathOf(name)}/payouts`, hidden: { ...others, file } }
    const withConsent = consentOf(form.text('yes'))
    return begin(context, { what: `payouts of ${name}`, about: pathOf(name), ask, rows: text }, async (given) => {
      const { payFileNow } = await import('../operations/payouts/pay-file-now.ts')
      const { beginProgress } = given
      const paid = await payFileNow(name, asked, flags, { withConsent, watch, beginProgress }, given.context)
      return { ...viewOfPaidFile(paid), facts: paid.result, notes: [], exitCode: paid.exitCode }
    })
  })

  app.post('/policies/:policy/run', async (context) => {
    const name = context.req.param('policy')
    const form = await readForm(context)
    const asked = { id: form.text('id') || newRunId(), ...by(form.text('by')) }
    const ask = { action: `${pathOf(name)}/run`, hidden: { ...asked } }
    const withConsent = consentOf(form.text('yes'))
    return begin(context, { what: `run ${name}`, about: pathOf(name), ask }, async (given) => {
      const { runPolicyNow } = await import('../operations/runs/run-policy-now.ts')
      const { beginProgress } = given
      const result = await runPolicyNow(name, asked, flags, { withConsent, watch, beginProgress }, given.context)
      const exitCode = runExitCode(result.outcome, 'tiesOut' in result ? result.tiesOut : undefined)
      return { facts: result, see: `/runs/${result.runId}`, notes: [], exitCode }
    })
  })
}
