import { AXES } from '../../../../policy/index.ts'
import type { OwnerPorts } from '../../../../gateway/owner/ports.ts'
import { createRig, KEY, type Rig } from '../_owner.ts'

const HOST = '127.0.0.1:3129'

type Headers = Readonly<Record<string, string>>

/** A page as a browser got it. */
export interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** What the browser would send from now on; undefined where no cookie was set. */
  readonly cookie: string | undefined
}

/** An owner app whose console is spoken to as a browser does. */
export interface ConsoleRig extends Rig {
  /** The cookie of the owner, who is signed in. */
  readonly cookie: string
  get(path: string, headers?: Headers): Promise<Got>
  /** Sends a form with the word that pages of this session have. */
  post(path: string, form: Headers, headers?: Headers): Promise<Got>
}

export async function ask(
  { app }: Pick<Rig, 'app'>,
  method: string,
  path: string,
  { headers = {}, form }: { readonly headers?: Headers; readonly form?: Headers } = {},
): Promise<Got> {
  const type = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const {
    statusCode,
    headers: answered,
    body,
  } = await app.inject({
    method: method as 'GET',
    url: path,
    headers: { host: HOST, ...type, ...headers },
    ...(form === undefined ? {} : { payload: new URLSearchParams(form).toString() }),
  })
  const set = [answered['set-cookie']].flat()[0]
  return {
    status: statusCode,
    headers: answered,
    text: body,
    cookie: set === undefined ? undefined : String(set).split(';', 1)[0],
  }
}

/** The word that stands in the forms of a page. */
export function csrfOf({ text }: Got): string {
  return /name="csrf"\s+value="([\w-]+)"/.exec(text)?.[1] ?? ''
}

export async function signIn(
  rig: Pick<Rig, 'app'>,
  { headers = {}, next = '' }: { readonly headers?: Headers; readonly next?: string } = {},
): Promise<Got> {
  return ask(rig, 'POST', '/console/login', { headers, form: { key: KEY, next } })
}

/** With the real table of axes. */
export async function createConsoleRig(parts: Partial<OwnerPorts> = {}): Promise<ConsoleRig> {
  const rig = createRig({ axes: AXES, ...parts })
  const cookie = (await signIn(rig)).cookie ?? ''
  const csrf = csrfOf(await ask(rig, 'GET', '/console', { headers: { cookie } }))
  return {
    ...rig,
    cookie,
    get: (path, headers) => ask(rig, 'GET', path, { headers: { cookie, ...headers } }),
    post: (path, form, headers) =>
      ask(rig, 'POST', path, { headers: { cookie, ...headers }, form: { csrf, ...form } }),
  }
}
