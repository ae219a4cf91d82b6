// Owns what `npm run sandbox` prints when it is ready, and the key file. Private keys go to a file or another program
// only: a terminal would keep them in its history, in everybody's view.
import { rmSync, writeFileSync } from 'node:fs'
import type { Sandbox } from './service/sandbox.ts'

type Ready = Pick<Sandbox, 'baseUrl' | 'controlUrl' | 'keys' | 'contacts'>

/** Returns one line of JSON. On a terminal each key is reduced to its prefix. */
export function readyLine({ baseUrl, contacts, controlUrl, keys }: Ready, isTerminal: boolean): string {
  const prefixes = () => Object.fromEntries(Object.entries(keys).map(([name, { prefix }]) => [name, { prefix }]))
  return JSON.stringify({ baseUrl, controlUrl, keys: isTerminal ? prefixes() : keys, contacts })
}

/** Shows a person at a terminal where the keys are. */
export function keysText(keysFile: string | undefined): string {
  return keysFile === undefined
    ? 'The keys are not shown on a terminal: --keys-out keys.json writes the key with all rights, readable by its owner only.'
    : `The key with all rights is in ${keysFile}, readable by its owner only.`
}

/**
 * Writes the key with all rights as JSON, readable by its owner only. Replaces an existing file. Throws where it
 * cannot.
 */
export function writeKeys(file: string, { keys }: Ready): void {
  const { alg, privateKeyPem, secret } = keys.full
  // Writing to an existing file would keep its mode, so the file is removed first.
  rmSync(file, { force: true })
  writeFileSync(file, `${JSON.stringify({ secret, privateKeyPem, alg })}\n`, { mode: 0o600, flag: 'wx' })
}
