import { oneOf, type Check } from '../check.ts'
import { line, lines, matching, sha256, shape } from './form.ts'

export const MOST_SOURCES = 256

const about = { title: line({ least: 1, most: 200 }), quote: lines({ least: 1, most: 4000 }) }

const ofReceipt = shape(
  {
    sha256,
    receipt: matching(/^[0-9A-Za-z-]{1,128}$/, 'write the id of a receipt'),
    part: oneOf(['request', 'response', 'delivered']),
  },
  about,
)

const ofObject = shape(
  {
    sha256,
    object: matching(
      /^[a-z0-9][a-z0-9-]{0,63}\/[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]{1,1024}$/u,
      'write <bucket>/<key>',
    ),
  },
  about,
)

/** One source: the body of a receipt, or an object. */
export const source: Check = (got, path, report) => {
  const isObject = typeof got === 'object' && got !== null && Object.hasOwn(got, 'object')
  return (isObject ? ofObject : ofReceipt)(got, path, report)
}
