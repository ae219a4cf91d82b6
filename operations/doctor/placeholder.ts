// Judges the address of the service in treasury.json by its name alone: whether it is the placeholder of a new file.
// RFC 2606 reserves such names, so no service can ever have one. Warns where the built-in sandbox answers in place of a
// real address. Pure.
import { advice, option } from '../../place/next-step.ts'
import { type Check, fail, ok, warn } from './check.ts'

const RESERVED = /(^|\.)example\.(com|net|org)$/i
const CHECK = 'service address'

/** Undefined where the address may be that of a service. */
export function placeholderCheck(url: string): Check | undefined {
  const { hostname } = new URL(url)
  if (!RESERVED.test(hostname)) return undefined
  const next = 'write service.url in treasury.json: the address that the operator of the service gave you'
  return fail(CHECK, `${hostname} is an example: no service is there`, next)
}

/** `url`: the address in treasury.json, which nobody asks where the built-in sandbox answers. */
export function sandboxCheck(url: string): Check {
  const sandbox = 'the built-in sandbox, play money'
  if (placeholderCheck(url) !== undefined) return ok('service', sandbox)
  return warn(
    'service',
    `every check below asks ${sandbox}; treasury.json names ${url}`,
    advice`add ${option('service')} URL ${option('keys')} FILE`,
  )
}

/** Before a deployment, whose network may reach what this machine does not: only the name is judged. */
export function serviceAddressCheck(url: string): Check {
  return placeholderCheck(url) ?? ok(CHECK, url)
}
