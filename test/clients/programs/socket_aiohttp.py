"""A text and a large binary message to an echo, with aiohttp."""
import asyncio, json, sys
import aiohttp


async def main(url):
    async with aiohttp.ClientSession(trust_env=True) as session:
        async with session.ws_connect(url) as socket:
            await socket.send_str('hello')
            text = await socket.receive_str()
            await socket.send_bytes(bytes(300_000))
            large = await socket.receive_bytes()
    print(json.dumps({'text': text, 'bytes': len(large)}))

asyncio.run(main(sys.argv[1]))
