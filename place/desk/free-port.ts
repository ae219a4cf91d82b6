// Chooses the ports of `sluice serve`: the requested one, or the next free one.

import { createServer } from 'node:net'
import { advice, option } from '../next-step.ts'
import { failedWith, unfit } from '../operation-error.ts'

const HIGHEST = 65_535
/** Ports that are tried, including the first. */
const MOST_TRIES = 20

/** @throws OperationError (exit 2) */
export function readPort(text: string, field: string): number {
  const port = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= HIGHEST) return port
  throw unfit(field, `expected a whole number from 1 to ${HIGHEST}; got something else`)
}

/** @throws OperationError (exit 1) where all of the next 20 are taken */
export async function findFreePort(asked: number): Promise<number> {
  const last = Math.min(HIGHEST, asked + MOST_TRIES - 1)
  for (let port = asked; port <= last; port += 1) if (await isFree(port)) return port
  throw failedWith(
    'unreachable',
    advice`${option('port')}: all ports from ${asked} to ${last} are taken`,
    advice`give another ${option('port')}, or none`,
  )
}

/** @throws OperationError (exit 1) where the port is taken */
export async function assertFree(port: number, field: string): Promise<void> {
  if (await isFree(port)) return
  throw failedWith(
    'unreachable',
    advice`${option(field)}: port ${port} is taken`,
    advice`give another port, and have the tunnel lead there; or leave ${option(field)} out for any free one`,
  )
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer()
  server.once('error', () => resolve(false))
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  return promise
}
