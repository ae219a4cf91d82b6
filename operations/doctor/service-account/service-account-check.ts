// Checks that no other environment of this AWS account works with the same account at the service. Each environment has
// its own journal, so an id would move once in each. The home role of an environment holds a digest of its account. It
// writes that digest only with `isWritten`.

import { createHash } from 'node:crypto'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { deployedName, HOME_ROLE } from '../../../core/contract/deployed-names.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { findPin, type Pin } from '../../../core/journal/pinned-account.ts'
import { clientConfigAt, type Deployment, deploymentOf, journalAt } from '../../../place/aws/aws-address.ts'
import { withClient } from '../../../place/aws/with-client.ts'
import { advice, DEPLOY, VERIFY } from '../../../place/next-step.ts'
import { type Check, fail, notKnown, ok, warn } from '../check.ts'
import { createHomeRoles, type FoundHomes, type HomeRole, type HomeRoles } from './home-roles.ts'

const CHECK = 'service account'

interface ServiceAccountOptions {
  /** Whether to write the digest to the home role; only a check after a deployment does. */
  readonly isWritten?: boolean
  /** The account that the keys name, for an environment whose journal is not pinned yet. */
  readonly known?: Pin | undefined
}

export async function serviceAccountCheck(
  treasury: Pick<Treasury, 'aws' | 'environment'>,
  { isWritten = false, known }: ServiceAccountOptions = {},
): Promise<Check> {
  const found = await pinOf(deploymentOf(treasury))
  if (typeof found === 'string') return warn(CHECK, found, 'let these credentials call dynamodb:GetItem on the journal')
  const pin = found ?? known
  if (pin === undefined) return ok(CHECK, 'the journal has no account yet: its first run records it')
  return withClient(createHomeRoles(), async (roles) => {
    return await judged({ roles, own: deployedName(HOME_ROLE, treasury.environment), digest: digestOf(pin), isWritten })
  }).catch((error: unknown) => {
    const calls = `iam:ListRoles and iam:ListRoleTags${isWritten ? ', and iam:TagRole on its home role' : ''}`
    return notKnown(CHECK, error, `let these credentials call ${calls}`)
  })
}

/** A text where it cannot be read. */
async function pinOf(deployment: Deployment): Promise<Pin | undefined | string> {
  return withClient(new DynamoDB(clientConfigAt(deployment)), async (client) => {
    return await findPin(createDynamoStore(client, journalAt(deployment)))
  }).catch((error: unknown) => `not known: ${error instanceof Error ? error.message : 'the journal cannot be read'}`)
}

/**
 * A digest of the account alone, because one service may have several addresses. Never change it: it is compared with
 * what was written.
 */
export function digestOf({ account, stage }: Pin): string {
  return createHash('sha256').update(`sluice/service-account\n${stage}\n${account}`).digest('hex').slice(0, 32)
}

interface Question {
  readonly roles: HomeRoles
  /** Name of this environment's home role. */
  readonly own: string
  readonly digest: string
  readonly isWritten: boolean
}

async function judged({ digest, isWritten, own, roles }: Question): Promise<Check> {
  // The digest is written before the others are read, even if another has the same. Of two environments that are
  // verified at once, the later reader then sees the earlier one.
  const isWrittenNow = isWritten && (await writeOwn({ roles, own, digest }))
  const found = await roles.find()
  const home = found.homes.find(({ name }) => name === own)
  if (home === undefined) return warn(CHECK, `there is no role ${own}`, advice`deploy the state stack: ${DEPLOY}`)
  const others = found.homes.filter(({ name }) => name !== own)
  const same = others.filter((other) => other.digest === digest)
  if (same.length > 0) return moreThanOne(same)
  if (home.digest !== digest && !isWrittenNow) {
    const problem = home.digest === undefined ? 'has no account yet' : 'has another account than the journal'
    return warn(CHECK, `${own} ${problem}, so that other environments cannot see it`, VERIFY)
  }
  return unlessUnknown(found, others)
}

/** Whether the digest was written now. IAM may take a while to show it. */
async function writeOwn({ digest, own, roles }: Omit<Question, 'isWritten'>): Promise<boolean> {
  const home = await roles.findOne(own)
  if (home === undefined || home.digest === digest) return false
  await roles.tag(own, { digest, region: await roles.region() })
  return true
}

function moreThanOne(same: readonly HomeRole[]): Check {
  const detail = `${same.map(wordsOf).join(' and ')} works with the same account at the service: an id would move once in each journal`
  const next = advice`halt one of them at once (${{ do: 'halt', at: { aws: true, config: 'FILE' } }}), and give it keys of another account, or take it down`
  return fail(CHECK, detail, next)
}

/** An environment without a digest may work with the same account. */
function unlessUnknown({ homes, isWhole }: FoundHomes, others: readonly HomeRole[]): Check {
  const silent = others.filter(({ digest }) => digest === undefined)
  if (silent.length > 0) {
    const detail = `${silent.map(wordsOf).join(' and ')} has no account on record`
    return warn(CHECK, detail, advice`${VERIFY} with the file of each`)
  }
  if (!isWhole) return warn(CHECK, `only ${homes.length} home roles were read`, 'check the others by hand')
  return ok(
    CHECK,
    others.length === 0
      ? 'no other environment in this AWS account'
      : `other environments, each with another account: ${others.length}`,
  )
}

function wordsOf({ environment, region }: HomeRole): string {
  const name = environment === undefined ? 'the environment without a name' : `the environment ${environment}`
  return region === undefined ? name : `${name} in ${region}`
}
