// Reads the contacts, assets and markets that the doctor's options name. core/treasury/policy-references.ts collects
// those of the policies.

import { advice, option } from '../../place/next-step.ts'
import { unfit, usageError } from '../../place/operation-error.ts'
import { ID_EXPECTATION, isId } from '../../place/service/service-id.ts'

export interface ContactReference {
  readonly id: string
  /** Settled code. */
  readonly asset: string
  /** The networkId. Absent for the network that the contact is on. */
  readonly network?: string
}

export interface References {
  readonly contacts: readonly ContactReference[]
  readonly assets: readonly string[]
  readonly markets: readonly string[]
}

export interface ReferenceFlags {
  readonly contact?: readonly string[]
  readonly asset?: readonly string[]
  readonly market?: readonly string[]
}

/** Maximum names in the options, because each costs a request or two. */
const MOST_REFERENCES = 200

/** @throws OperationError (exit 2) naming the option. */
export function parseReferences(flags: ReferenceFlags): References {
  const { contact = [], asset = [], market = [] } = flags
  if (contact.length + asset.length + market.length > MOST_REFERENCES) {
    const message = advice`${option('contact')}, ${option('asset')}, ${option('market')}: expected at most ${MOST_REFERENCES} of them together; got more`
    throw usageError('usage', message, 'check them in several runs')
  }
  for (const [name, values] of Object.entries({ asset, market })) {
    if (!values.every(isId)) throw notAnId(name)
  }
  return { contacts: contact.map(parseContact), assets: asset, markets: market }
}

/** The id is opaque and may hold `=` and `@`; a code and a network id do not. */
const CONTACT = /^(?<id>.+)=(?<asset>[A-Za-z0-9._-]{1,32})(@(?<network>[A-Za-z0-9._-]{1,64}))?$/s

function parseContact(text: string): ContactReference {
  const { id, asset, network } = CONTACT.exec(text)?.groups ?? {}
  if (id === undefined || asset === undefined) {
    throw unfit(
      'contact',
      'expected ID=ASSET or ID=ASSET@NETWORK; got something else',
      advice`such as ${option('contact', '4f0c=USDC@POLYGON')}; ${{ do: 'query', query: 'contacts' }} lists the ids`,
    )
  }
  if (!isId(id)) throw notAnId('contact')
  return { id, asset, ...(network !== undefined && { network }) }
}

function notAnId(option: string): Error {
  return unfit(option, `expected an id of ${ID_EXPECTATION}; got something else`)
}
