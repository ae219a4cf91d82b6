// Keeps a state directory to its owner. Its files are for the owner only, but whoever may write to the directory could
// put others in their place, and whoever may read it sees what is there. It repairs a directory that is Sluice's own,
// and refuses every other.
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { CommandError } from '../../terminal/command-error.ts'
import { ExitCode } from '../../terminal/exit-code.ts'

const OWNER_ONLY = 0o700
const OTHERS = 0o077
/** On a folder such as /tmp or /dev/shm, which others need as it is. */
const STICKY = 0o1000

/**
 * To be called before anything in the directory is believed.
 * @param onRepaired called with what was done, where it was open to others
 * @throws CommandError (exit 2) that names the directory and the remedy, where it is not this user's alone
 */
export function keepPrivate(stateDir: string, onRepaired: (words: string) => void): void {
  const user = process.getuid?.()
  // Elsewhere permissions are of another kind.
  if (user === undefined) return
  const { mode, uid } = statSync(stateDir)
  if (uid !== user) {
    throw refused(
      `--state: ${stateDir} belongs to another user (${uid}), who could put other records and keys there`,
      `run this command as that user, or make it yours: chown -R ${user} ${stateDir}`,
    )
  }
  if ((mode & OTHERS) === 0) return
  const permissions = (mode & 0o777).toString(8).padStart(3, '0')
  const isShared = (mode & STICKY) !== 0
  if (isShared || !isOwn(stateDir)) {
    const why = isShared ? 'is there for all users of this machine to share' : "has files that are not Sluice's"
    throw refused(
      `--state: ${stateDir} is open to others (mode ${permissions}), and ${why}`,
      'give --state a directory of its own, such as one below it',
    )
  }
  chmodSync(stateDir, OWNER_ONLY)
  onRepaired(`${stateDir} was open to others (mode ${permissions}); it is for its owner only now (700)`)
}

/** What this and earlier releases put there (state-layout.ts). An empty directory will have nothing else either. */
const OWN =
  /^(?:lock|assembly|built-in|service|.+_[0-9a-f]{8}|start|reports|proofs|(?:sandbox-)?proof-key\.pem|(?:account|desk)\.json(?:\.new)?)$/

function isOwn(stateDir: string): boolean {
  return readdirSync(stateDir).every((name) => OWN.test(name))
}

function refused(message: string, next: string): CommandError {
  return new CommandError({ exitCode: ExitCode.Usage, code: 'state_unusable', message, next })
}
