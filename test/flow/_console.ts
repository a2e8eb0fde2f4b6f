import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { statePaths } from '../../gateway/state/paths.ts'
import type { Browsers } from '../helpers/browser.ts'
import type { TestGateway } from '../helpers/gateway.ts'
import { mintGrant } from '../helpers/owner.ts'

const CANARY = '<img src=x onerror=alert(1)>'

/** A gateway whose console has something to show, and a browser. */
export interface Scene {
  readonly gateway: TestGateway
  readonly browsers: Browsers
  /** Of the owner doors. */
  readonly origin: string
  readonly key: string
  /** A grant that was narrowed, used and refused, with canaries in its lines and calls. */
  readonly grant: string
  readonly receipt: string
}

export async function setUp(gateway: TestGateway, browsers: Browsers): Promise<Scene> {
  const { id, token } = await mintGrant(gateway, 'tools = HTTP_GET', 'uses <= 9', `task = T-1`)
  await mintGrant(gateway, `arg HTTP_GET.url_path = ${CANARY}`)
  await gateway.ask('absolute', { token, path: `/${encodeURIComponent(CANARY)}` })
  await gateway.ask('absolute', { token, method: 'DELETE' })
  const [receipt] = await gateway.receipts()
  return {
    gateway,
    browsers,
    origin: `http://${gateway.gateway.addresses.owner}`,
    key: readFileSync(statePaths(gateway.state).ownerKey, 'utf8').trim(),
    grant: id,
    receipt: String(receipt?.['id']),
  }
}

/** As the owner does, without the mouse. */
export async function signIn(page: Page, { origin, key }: Scene): Promise<void> {
  await page.goto(`${origin}/console`)
  await page.keyboard.type(key)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${origin}/console`)
}
