// Deploys for the test, and checks what must be true before and after each deployment.
import * as z from 'zod/mini'
import { CHANGED_GUARD } from '../setup.ts'
import type { Walk } from '../step.ts'
import { isNotThere } from './taking-down.ts'

const caller = z.object({ Account: z.string() })
const difference = z.object({ changes: z.array(z.object({ path: z.string() })) })

export async function inspectAccount(walk: Walk): Promise<void> {
  const { operator, setup, user } = walk
  const [version = ''] = (await walk.must(operator.version)).split(' ')
  // Version 1 knows neither --no-cli-pager nor a sign-in by aws configure sso.
  walk.assert(version.startsWith('aws-cli/2.'), `expected version 2 of the AWS CLI; aws --version says ${version}`)
  await assertPlace(walk)
  const { exitCode, stderr } = await walk.try(operator.describeTable)
  walk.assert(exitCode !== 0, `${setup.names.table} is there: name another environment, or go on with --from`)
  walk.assert(isNotThere(stderr), `it is not known whether ${setup.names.table} is there`)
  await walk.must(user.doctorBeforeDeploy)
}

/** Runs in every walk before anything is touched, because the AWS CLI does not know what the file pins. */
export async function assertPlace(walk: Walk): Promise<void> {
  const { account } = walk.setup.place
  const { Account } = await walk.read(walk.operator.whoAmI, caller)
  walk.assert(Account === account, `the credentials are of account ${Account}; the file pins ${account}`)
}

export async function putKeys(walk: Walk): Promise<void> {
  for (const name of walk.setup.names.secrets) {
    const { exitCode, stderr } = await walk.try(walk.operator.createSecret(name))
    if (exitCode === 0) continue
    walk.assert(stderr.includes('ResourceExistsException'), `the secret ${name} could not be made`)
    await walk.must(walk.operator.putSecret(name))
  }
}

/** The change is shown before its deployment, and no change is shown afterwards. */
export async function deployChange(walk: Walk, which: 'first' | 'updated'): Promise<void> {
  const paths = (await walk.read(walk.user.diff(which), difference)).changes.map(({ path }) => path)
  // The step may be entered again after a finished deployment.
  walk.assert(
    paths.length === 0 || (paths.length === 1 && paths[0] === CHANGED_GUARD),
    `diff names ${paths.join(', ')}; expected ${CHANGED_GUARD}`,
  )
  if (paths.length === 0) walk.note('it is deployed already')
  await walk.must(walk.user.deploy(which))
  const left = (await walk.read(walk.user.diff(which), difference)).changes
  walk.assert(left.length === 0, `after the deployment diff still names ${left.map(({ path }) => path).join(', ')}`)
  await walk.must(walk.user.verifyDeployed(which))
}
