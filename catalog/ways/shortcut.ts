import { writtenJson } from '../written-json.ts'
import type { WayTable } from './types.ts'

/** An action of Apple Shortcuts: "Get Contents of URL", filled in. Its texts are two, so that none of its own types rounds a value. */
export const SHORTCUT: WayTable<'shortcut'> = {
  shortcut: {
    door: '/g/run',
    write: ({ tool, args, gateway: { base, token } }) => ({
      language: 'json',
      runs_with: 'Apple Shortcuts',
      text: `${JSON.stringify(
        {
          WFWorkflowActionIdentifier: 'is.workflow.actions.downloadurl',
          WFWorkflowActionParameters: {
            WFURL: `${base}/g/run`,
            WFHTTPMethod: 'POST',
            Advanced: true,
            ShowHeaders: true,
            WFHTTPHeaders: dictionary({ Authorization: `Bearer ${token}` }),
            WFHTTPBodyType: 'JSON',
            WFJSONValues: dictionary({ name: tool.name, arguments: writtenJson(args) }),
          },
        },
        undefined,
        2,
      )}\n`,
    }),
  },
}

/** A dictionary whose values are texts. */
function dictionary(texts: Readonly<Record<string, string>>): object {
  const items = Object.entries(texts).map(([key, value]) => ({
    WFItemType: 0,
    WFKey: textToken(key),
    WFValue: textToken(value),
  }))
  return {
    Value: { WFDictionaryFieldValueItems: items },
    WFSerializationType: 'WFDictionaryFieldValue',
  }
}

function textToken(text: string): object {
  return { Value: { string: text }, WFSerializationType: 'WFTextTokenString' }
}
