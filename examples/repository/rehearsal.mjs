// Plays the policies of treasury.json with play money, in a sandbox of its own. In a copy of the file each policy is live,
// and a contact that the sandbox does not know is one of the sandbox.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(import.meta.resolve('sluice/bin/sluice.cjs'))

export function rehearse(file, folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const config = `${folder}/treasury.json`
  const sluice = (words, stdio) => {
    const place = ['--config', config, '--state', `${folder}/state`]
    return spawnSync(process.execPath, [COMMAND, ...words, ...place], { encoding: 'utf8', stdio })
  }
  const ask = (...words) => {
    const { status, stdout, stderr } = sluice([...words, '--json'])
    if (status !== 0) throw new Error(`sluice ${words.join(' ')} ended with ${status}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const treasury = JSON.parse(readFileSync(file, 'utf8'))
  treasury.service.stage = 'test'
  const write = () => writeFileSync(config, JSON.stringify(treasury))
  write()
  const contacts = ask('service', 'contacts')
  for (const policy of Object.values(treasury.policies)) {
    policy.mode = 'live'
    for (const rule of [policy, ...(policy.rules ?? [])]) {
      const asset = rule.convertInto ?? rule.into ?? rule.assets?.[0]
      if (rule.contactId !== undefined && contacts.every(({ id }) => id !== rule.contactId))
        rule.contactId = payeesOf(asset, contacts)[0].id
    }
  }
  write()
  return { treasury, contacts, sluice, ask }
}

/** Contacts for the asset, and then those that take every asset. */
export function payeesOf(asset, contacts) {
  const assetOf = ({ crypto, bank }) => (crypto ?? bank)?.assetSymbol
  return [asset, undefined].flatMap((wanted) => contacts.filter((contact) => assetOf(contact) === wanted))
}
