// Makes the text of a treasury.json from the answers, and finds answers that do not fit the service's data. Pure.
import { sameCode } from '../../core/contract/fields.ts'
import { guards } from '../../core/contract/guards.ts'
import { policy } from '../../core/contract/policies.ts'
import { Stage } from '../../core/contract/service-settings.ts'
import type { KindSetup } from '../../core/policies/questions.ts'
import { offeredKinds, setups } from '../../core/policies/setups.ts'
import { referencesOf } from '../../core/treasury/policy-references.ts'
import { createMarketNet, findUnmet } from '../doctor/market-net.ts'
import type { Answers } from './questions.ts'
import type { Reference } from './reference.ts'

interface DraftFacts {
  /** The path of the schema from the file, for an editor. */
  readonly schema: string
  readonly serviceUrl: string
  readonly stage: Stage
  /** The hubs that the policy has to name, if any. */
  readonly hubs?: readonly string[] | undefined
}

/** All questions for the kind of policy must be answered. */
export function treasuryText(answers: Answers, { schema, serviceUrl, stage, hubs }: DraftFacts): string {
  const policies = { [answerOf(answers, 'name')]: draftPolicy(answers, hubs) }
  const service = { url: serviceUrl, stage, keySecret: 'sluice/service-key' }
  const live = stage === Stage.Live ? LIVE : {}
  return `${JSON.stringify({ $schema: schema, service, ...live, policies }, undefined, 2)}\n`
}

/** `hubs`: those that the policy has to name, if any. */
export function draftPolicy(answers: Answers, hubs: DraftFacts['hubs']): Readonly<Record<string, unknown>> {
  return { ...policyOf(answers), ...(hubs && { hubs }) }
}

/** Settings that no question asks for. A person has to set each, and remove its waiver. */
const LIVE = {
  waives: {
    splitKeys: 'not set up yet: give service.keys a secret for read, trade and transfer',
    allowedContacts: 'not set up yet: list the contacts in guards.allowedContacts',
    dailyBounds: 'not set up yet: bound the day in guards.total.daily',
    resumedBy: 'not set up yet: say in resumedBy who resumes sending after a halt',
  },
}

function answerOf(answers: Answers, flag: string): string {
  const answer = answers[flag]
  if (answer === undefined) throw new TypeError(`${flag} has no answer`)
  return answer
}

/** One line for each pair of answers that are valid and do not fit together. */
export function findMismatches(answers: Answers, { contacts }: Reference): string[] {
  const { contact: contactId } = answers
  const contact = contacts.find(({ id }) => id === contactId)
  const sent = setupOf(answers).sent?.((flag) => answerOf(answers, flag)) ?? []
  const mismatches = sent.filter((code) => typeof contact?.asset === 'string' && !sameCode(contact.asset, code))
  return mismatches.map((code) => `expected a contact that takes ${code}; got one for ${contact?.asset}`)
}

export function setupOf(answers: Answers): KindSetup {
  const kind = offeredKinds.find((offered) => offered === answerOf(answers, 'kind'))
  if (kind === undefined) throw new TypeError('no answer names the kind')
  return setups[kind]
}

interface Ways {
  /** The hubs that the policy has to name. Absent where the default hub is enough. */
  readonly hubs?: readonly string[]
  /** One line for each conversion that no hub makes possible. */
  readonly mismatches: readonly string[]
}

/** Whether markets exist for the policy's conversions, and for the prices of its assets. */
export function findWays(answers: Answers, { assets, markets }: Reference): Ways {
  const { data: draft } = policy.safeParse(policyOf(answers))
  // A fault of the policy itself is reported by the checks of the whole file.
  if (draft === undefined) return { mismatches: [] }
  const { convertedBy } = setupOf(answers)
  const references = referencesOf(draft, guards.parse({}))
  const codes = new Set(assets.map(({ assetSymbol }) => assetSymbol))
  const { unmet, advised } = findUnmet(references, codes, createMarketNet(markets))
  const mismatches = unmet
    .filter(({ isHelped }) => !isHelped)
    .map(({ says }) => `--${convertedBy}: expected assets that markets lead between; ${says}`)
  return unmet.length === 0 ? { mismatches } : { mismatches, hubs: advised }
}

function policyOf(answers: Answers): Record<string, unknown> {
  const { schedule = 'none' } = answers
  return {
    kind: answerOf(answers, 'kind'),
    mode: answerOf(answers, 'mode'),
    ...(schedule !== 'none' && { schedule: { expression: schedule } }),
    ...setupOf(answers).draft((flag) => answerOf(answers, flag)),
    approval: { above: answerOf(answers, 'approve-above') },
  }
}
