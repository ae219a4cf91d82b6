// Takes a deployment down. The journal must survive it, under deletion protection. Only `destroyAll` ends the
// protection, and only for an environment of this test.
import * as z from 'zod/mini'
import { TEST_PREFIX } from '../setup.ts'
import type { Walk } from '../step.ts'
import { endDenial, removeProbes } from './only-aws.ts'

const table = z.object({
  Table: z.object({ TableStatus: z.string(), DeletionProtectionEnabled: z.optional(z.boolean()) }),
})

export async function takeDown(walk: Walk): Promise<void> {
  await deleteStacks(walk)
  const { Table } = await walk.read(walk.operator.describeTable, table)
  walk.assert(Table.TableStatus === 'ACTIVE', `the journal is ${Table.TableStatus}`)
  walk.assert(Table.DeletionProtectionEnabled === true, 'the journal has lost its deletion protection')
  walk.see({ journal: Table.TableStatus, isProtected: true })
}

async function deleteStacks(walk: Walk): Promise<void> {
  await assertTestStage(walk)
  const { exitCode, stderr } = await walk.try(walk.operator.unprotectStack)
  walk.assert(exitCode === 0 || /does not exist/.test(stderr), 'the termination protection of the state stack stays')
  await walk.must(walk.user.destroyStacks)
  await assertNoHomeRole(walk)
}

async function assertNoHomeRole(walk: Walk): Promise<void> {
  const { exitCode, stderr } = await walk.try(walk.operator.getHomeRole)
  walk.assert(
    exitCode !== 0 && /NoSuchEntity/.test(stderr),
    `the role ${walk.setup.names.homeRole} is there, or cannot be looked for`,
  )
}

/** Removes stacks, journal and keys, as far as they exist, also after a failed step. */
export async function destroyAll(walk: Walk): Promise<void> {
  const { operator, setup } = walk
  walk.assert(setup.environment.startsWith(TEST_PREFIX), `${setup.environment} is no environment of this test`)
  // CloudFormation cannot delete a role with a policy that it does not know.
  await endDenial(walk)
  await deleteStacks(walk)
  await removeProbes(walk)
  const there = await walk.try(operator.describeTable)
  if (there.exitCode === 0) {
    await walk.must(operator.unprotectTable)
    await walk.must(operator.deleteTable)
    await walk.must(operator.waitForNoTable)
  } else walk.assert(isNotThere(there.stderr), 'it is not known whether the journal is there')
  for (const name of setup.names.secrets) {
    const { exitCode, stderr } = await walk.try(operator.deleteSecret(name))
    walk.assert(exitCode === 0 || isNotThere(stderr), `the secret ${name} could not be deleted`)
  }
}

/** The text of `sluice setup diff` when the functions are gone. */
const NOTHING_DEPLOYED = 'nothing that reports its configuration is deployed'

/** A file of the test stage must remove nothing from a deployment of another stage with the same name. */
async function assertTestStage(walk: Walk): Promise<void> {
  const { exitCode, stderr, stdout } = await walk.try(walk.user.diff('first'))
  const { environment } = walk.setup
  if (exitCode !== 0) {
    walk.assert(stderr.includes(NOTHING_DEPLOYED), `it is not known which stage is deployed as ${environment}`)
    return
  }
  walk.assert(
    !stdout.includes('"service.stage"'),
    `another stage than test is deployed as ${environment}: it is no deployment of this test`,
  )
}

export function isNotThere(stderr: string): boolean {
  return stderr.includes('ResourceNotFoundException')
}
