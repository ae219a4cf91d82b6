// How a person started `sluice`, so that a hint can be pasted back: `sluice` where a link of that name is on the PATH
// (npm link, npm install --global), and `npx sluice` otherwise, which works in the repo. Pure.

import path from 'node:path'
import type { Variables } from '../context.ts'

/** `script` is the file that Node was given, before links are followed. */
export function invocationOf(script: string | undefined, { npm_command: npmCommand }: Variables): string {
  const isLink = script !== undefined && path.basename(script) === 'sluice'
  // npx, and the scripts of a package, start the link of a folder that is not on the person's own PATH.
  const isOnPath = isLink && npmCommand === undefined && path.basename(path.dirname(script)) !== '.bin'
  return isOnPath ? 'sluice' : 'npx sluice'
}
