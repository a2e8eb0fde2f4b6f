"""A text and a large binary message to an echo, with websocket-client."""
import json, sys
import websocket

socket = websocket.create_connection(sys.argv[1])
socket.send('hello')
text = socket.recv()
socket.send_binary(bytes(300_000))
large = socket.recv()
socket.close()
print(json.dumps({'text': text, 'bytes': len(large)}))
