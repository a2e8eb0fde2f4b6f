import type { Exchange } from './knock.ts'
import type { Ports } from './ports.ts'
import { exchangeAgain } from './retry.ts'

/** The exchange, as the control of a call asks for it: judged alone, made once, or made again. `dryRun` judges. */
export function createCarryOut(
  exchange: Exchange,
  dryRun: Exchange,
  ports: Pick<Ports, 'snapshot'>,
): Exchange {
  return (knock) => {
    const { retries } = knock
    if (knock.dryRun === true) return dryRun(knock)
    return retries === undefined
      ? exchange(knock)
      : exchangeAgain({ ...knock, retries }, exchange, ports)
  }
}
