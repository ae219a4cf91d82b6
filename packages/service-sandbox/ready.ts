// What `npm run sandbox` says when it is ready, and the file that it writes a key to. Private keys are for a file or for
// another program: on a terminal they stay in its history, and in everybody's view.
import { rmSync, writeFileSync } from 'node:fs'
import type { Sandbox } from './service/sandbox.ts'

type Ready = Pick<Sandbox, 'baseUrl' | 'controlUrl' | 'keys' | 'contacts'>

/** One JSON line. On a terminal each key is its prefix only. */
export function readyLine({ baseUrl, contacts, controlUrl, keys }: Ready, isTerminal: boolean): string {
  const prefixes = () => Object.fromEntries(Object.entries(keys).map(([name, { prefix }]) => [name, { prefix }]))
  return JSON.stringify({ baseUrl, controlUrl, keys: isTerminal ? prefixes() : keys, contacts })
}

/** What a person at a terminal is told of the keys. */
export function keysText(keysFile: string | undefined): string {
  return keysFile === undefined
    ? 'The keys are not shown on a terminal: --keys-out keys.json writes the one of every right, for its owner only.'
    : `The key of every right is in ${keysFile}, for its owner only.`
}

/** The key of every right as `sluice --keys` reads it, for its owner only. Replaces what is there. Throws where it cannot. */
export function writeKeys(file: string, { keys }: Pick<Ready, 'keys'>): void {
  const { alg, privateKeyPem, secret } = keys.full
  // A file that is there keeps its mode when it is written.
  rmSync(file, { force: true })
  writeFileSync(file, `${JSON.stringify({ secret, privateKeyPem, alg })}\n`, { mode: 0o600, flag: 'wx' })
}
