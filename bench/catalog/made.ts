import type { ArgSchema, Tool } from '../../catalog/index.ts'

const VERBS = 'ADD COPY DROP EDIT FIND GET LIST LOCK MAKE MOVE OPEN PIN READ SEND SET SORT SYNC TAG'
const THINGS =
  'ALBUM ASSET BADGE BATCH BOARD BRIEF CHART CLAIM CRATE DRAFT EVENT FLEET FORUM GRANT GUEST HOUSE IMAGE ISSUE LABEL LEASE ' +
  'LEDGER MEDIA METER NOTES ORDER PANEL PATCH PLANT QUEUE QUOTA RADAR ROUTE SCENE SHIFT STAGE STOCK TABLE TOPIC TRACK VENUE VIDEO WAGON'
const OWNERS =
  'AMBERS BEACON CANARY DYNAMO ECLAIR FALCON GALAXY HELIUM INDIGO JASPER KIMONO LAGOON MAGNET NEBULA OSPREY PEPPER'
const PLACES =
  'archive atlas basin bridge canvas cellar circle corner desert estate forest garden harbor island kernel ladder market meadow ' +
  'museum office palace parcel planet portal region ribbon saddle signal silver studio summit tunnel valley vessel window winter'

const [verbs, things, owners, places] = [VERBS, THINGS, OWNERS, PLACES].map((text) =>
  text.split(' '),
)

/** Bytes of a row as JSON without its comma, so that 1,340 of them have 1.38 MB. */
const ROW_BYTES = 1031
/** Rows of one host: so many APIs there are. */
const ROWS_A_HOST = 1000

/** A catalog of so many rows, the same each time: their names have 17 characters on average, their JSON 1,032 bytes. */
export function madeCatalog(count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, at) => filled(rowAt(at)))
}

function rowAt(at: number): Tool {
  const pick = (list: readonly string[] | undefined, step: number) =>
    list![Math.floor(at / step) % list!.length]!
  const [verb, thing, owner] = [pick(verbs, 1), pick(things, 18), pick(owners, 756)]
  const [place, other] = [pick(places, 5), pick(places, 41)]
  // Beyond as many as the words make, names go on with a number, as those of real catalogs do.
  const again = Math.floor(at / 12_096)
  const name = `${owner}_${verb}_${thing}${again === 0 ? '' : `_${place.toUpperCase()}${again}`}`
  const properties: Record<string, ArgSchema> = {
    [`${place}_id`]: { in: 'path', type: 'string', required: true },
    [other]: { in: 'query', type: 'string', description: `only what has this ${other}` },
  }
  return {
    name,
    summary: `${verb.toLowerCase()} the ${thing.toLowerCase()} of one ${place}, by its ${other}`,
    scheme: 'https',
    host: `api-${Math.floor(at / ROWS_A_HOST)}.made.test`,
    method: ['GET', 'POST', 'PUT', 'DELETE'][at % 4]!,
    path: `/v${(at % 3) + 1}/${thing.toLowerCase()}/${place}-${at}/{${place}_id}/${other}`,
    args: { properties },
  }
}

/** The row with as many arguments, each described, as make up its size. */
function filled(tool: Tool): Tool {
  const properties: Record<string, ArgSchema> = { ...tool.args.properties }
  const made = { ...tool, args: { properties } }
  const left = () => ROW_BYTES - JSON.stringify(made).length
  for (let at = 0; left() > 140; at += 1)
    properties[`field_${at}`] = { in: 'query', type: 'integer', description: WORDS.slice(0, 70) }
  properties['more'] = { in: 'query', description: '' }
  properties['more'] = { in: 'query', description: WORDS.slice(0, Math.max(0, left())) }
  return made
}

const WORDS = 'a number between one and a thousand that bounds what is counted here, '.repeat(3)

/** A question, and the row that it means. */
export interface Question {
  readonly kind: 'name' | 'words' | 'sentence' | 'typo' | 'nothing'
  readonly text: string
  /** Undefined where no row has it. */
  readonly means: Tool | undefined
}

/** Questions of all kinds to a made catalog, spread over its rows. */
export function questionsTo(tools: readonly Tool[], count: number): readonly Question[] {
  return Array.from({ length: count }, (_, at): Question => {
    const means = tools[Math.floor((at * tools.length) / count)]!
    const words = means.name.toLowerCase().split('_')
    const [owner = '', verb = '', thing = ''] = words
    const typo = thing.length < 4 ? thing : thing.slice(0, 2) + thing[3] + thing[2] + thing.slice(4)
    switch (at % 5) {
      case 0:
        return { kind: 'name', text: means.name, means }
      case 1:
        return { kind: 'words', text: words.join(' '), means }
      case 2:
        return { kind: 'sentence', text: `how do I ${verb} the ${thing} of ${owner}?`, means }
      case 3:
        return { kind: 'typo', text: `${typo} ${owner} ${words[3] ?? ''}`, means }
      default:
        return { kind: 'nothing', text: `xylophone ${thing} quagmire`, means: undefined }
    }
  })
}
