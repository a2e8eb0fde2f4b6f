"""An echo, a large body and a stream, with aiohttp."""
import asyncio, json, sys, time
import aiohttp


async def main(echo_url, digest_url, events_url):
    async with aiohttp.ClientSession(trust_env=True) as session:
        async with session.get(echo_url) as answer:
            if not answer.ok:
                sys.exit(await answer.text())
            echo = await answer.json()
        async with session.post(digest_url, data=b'x' * 3_000_000) as answer:
            digest = await answer.json()
        times = []
        async with session.get(events_url) as events:
            async for line in events.content:
                if line.startswith(b'data:'):
                    times.append(time.monotonic() * 1000)
    print(json.dumps({'authorization': echo['headers']['authorization'], 'digest': digest, 'times': times}))

asyncio.run(main(*sys.argv[1:]))
