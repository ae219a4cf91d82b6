// The app of the CDK: treasury.json as four stacks. `npx sluice deploy` sets the variables.
import { Sluice } from '@sluice/infra'
import { App } from 'aws-cdk-lib'

const { SLUICE_CONFIG, SLUICE_DEPLOYED_BY: by, SLUICE_DEPLOYED_COMMIT: commit } = process.env
export const treasury = SLUICE_CONFIG || 'treasury.json'
export const app = new App({ analyticsReporting: false })
new Sluice(app, 'Treasury', { treasury, deployer: { ...(by && { by }), ...(commit && { commit }) } })
