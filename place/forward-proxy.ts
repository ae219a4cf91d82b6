// Lets a command go through the company's forward proxy that this machine's variables name, and the functions of a desk
// too.
import { Defect } from '../core/errors.ts'
import { PROXY_VARIABLES, useForwardProxy } from '../core/service/forward-proxy.ts'
import type { Variables } from './context.ts'
import { usageError } from './operation-error.ts'

/** @throws OperationError (exit 2) for a variable that names no proxy */
export function followProxy(variables: Variables): void {
  try {
    useForwardProxy(variables)
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    throw usageError('usage', error.message, 'correct the variable, or unset it; nothing was sent')
  }
}

/** Variables by which the functions of a desk go through the same proxy. */
export function proxyVariablesOf(variables: Variables): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PROXY_VARIABLES.flatMap((name) => {
      const value = variables[name]
      return value ? [[name, value] as const] : []
    }),
  )
}
