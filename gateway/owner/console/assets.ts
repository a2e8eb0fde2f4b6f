import type { FastifyInstance } from 'fastify'
import { assetNamed } from '../../pages/assets.ts'
import { refusal } from '../../refusal.ts'
import { addGet } from '../routes/get.ts'

/** The files that all pages share. They are asked for anew each time, and sent only where they changed. */
export function assetDoor(scope: FastifyInstance): void {
  addGet(scope, '/assets/:file', async (request, reply) => {
    const asset = assetNamed((request.params as { readonly file: string }).file)
    if (asset === undefined)
      throw refusal('not_found', 'file', {
        got: 'a name that no file has',
        repair: 'build the program anew where scripts are missing: `npm run build`',
      })
    const { type, body, etag } = asset
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type(type).send(body)
  })
}
