import { sendJson, sendNothingHere } from './site.ts'
import type { Call, Site } from './site.ts'
import { WORD_GAP_MS, WORDS } from './words.ts'

const RESOURCE = {
  name: 'pods',
  singularName: 'pod',
  namespaced: true,
  kind: 'Pod',
  verbs: ['get', 'list'],
}
const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'demo', namespace: 'default', uid: 'u1', resourceVersion: '1' },
  spec: { containers: [{ name: 'main', image: 'demo:1' }] },
  status: { phase: 'Running' },
}
const PODS = '/api/v1/namespaces/default/pods'

/** A cluster with one pod, whose log is followed word by word. */
export const cluster: Site = {
  name: 'cluster',
  handle(call) {
    const { response, url } = call
    switch (url.pathname) {
      case '/api':
        return sendJson(response, { kind: 'APIVersions', versions: ['v1'] })
      case '/apis':
        return sendJson(response, { kind: 'APIGroupList', apiVersion: 'v1', groups: [] })
      case '/api/v1':
        return sendJson(response, {
          kind: 'APIResourceList',
          groupVersion: 'v1',
          resources: [RESOURCE],
        })
      case PODS:
        return sendJson(response, { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [POD] })
      case `${PODS}/demo`:
        return sendJson(response, POD)
      case `${PODS}/demo/log`:
        return follow(call)
      default:
        return sendNothingHere(response)
    }
  },
}

async function follow({ response }: Call): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/plain' })
  for (const word of WORDS) {
    response.write(`${word}\n`)
    await new Promise((resolve) => setTimeout(resolve, WORD_GAP_MS))
  }
  response.end()
}
