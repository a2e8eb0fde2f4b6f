import { startGateway } from '../../gateway/main.ts'
import { announce } from '../contestants/contestant.ts'

/** A gateway by a configuration and a state folder; it tells the address of its owner door. */
const [, , configFile, state] = process.argv
if (configFile === undefined || state === undefined)
  throw new Error('give the configuration and the state folder')

// Its database is away at first, which it would say each time.
const gateway = await startGateway({ configFile, state, log: 'error' })
announce({ address: gateway.addresses.owner, says: 'a gateway whose ledger has a backlog' })
