// The public entry of the package: a deployment of Sluice as a construct for any CDK app.
export { RequestEvent, ResultEvent, SwitchEvent } from '../core/contract/events.ts'
export type { Treasury, TreasuryInput } from '../core/contract/treasury.ts'
export { ConfigError, loadTreasury, parseTreasury } from '../core/treasury/config.ts'
export type { Stacks } from './declare-stacks.ts'
export { type DeployedSluiceProps, type MachineKey, SluiceBase } from './deployed-sluice.ts'
export { Sluice, type SluiceProps } from './sluice.ts'
