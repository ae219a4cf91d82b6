// Gives functions the company's forward proxy and certificate authorities. Each stack sets them once, for every function
// in it. At a desk the functions use those of the machine.
import type { Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { AUTHORITIES_FILE, NetworkVariable } from '../../core/contract/network-variables.ts'
import type { Treasury } from '../../core/contract/treasury.ts'

const WAY_OUT = 'sluice:way-out'
/** Folder in which Lambda unzips the bundle and the files beside it. */
const TASK_FOLDER = '/var/task'

/** Call this function before anything is created in the stack. */
export function setWayOut(stack: Stack, aws: Treasury['aws']): void {
  stack.node.setContext(WAY_OUT, aws)
}

/** Variables of a function; empty without a proxy and without authorities. */
export function wayOutVariables(scope: Construct): Readonly<Record<string, string>> {
  const aws: Treasury['aws'] = scope.node.tryGetContext(WAY_OUT)
  const { certificateAuthorities, proxy } = aws ?? {}
  return {
    ...(proxy !== undefined && {
      [NetworkVariable.HttpsProxy]: proxy.url,
      [NetworkVariable.UseEnvProxy]: '1',
      ...(proxy.except !== undefined && { [NetworkVariable.NoProxy]: proxy.except.join() }),
    }),
    ...(certificateAuthorities !== undefined && {
      [NetworkVariable.ExtraAuthorities]: `${TASK_FOLDER}/${AUTHORITIES_FILE}`,
    }),
  }
}
