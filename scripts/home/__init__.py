"""Implementation of `scripts/chat`, `scripts/serve` and `scripts/develop`: a demo home.

The commands:
- `chat`, `talk`: `scripts/chat`, a conversation with a home in this process (`core`, `turn`).
- `serve`, `web`, `api`: `scripts/serve`, an HTTP API over the agent of a home in this process.
- `develop`, `process`: `scripts/develop`, a home as a `hass` process (`remote`).
- `program`, `options`, `console`: event loop and exit status, command line, terminal output.

The home:
- `demo`: its entities and areas.
- `core`: a home in this process; `remote`: a home in another process, over HTTP and WebSocket.
- `flows`: setup of Chatterbox through its config flow, for both.
- `turn`: one turn of a conversation, through an Assist pipeline.

The server:
- `servers`: OpenAI-compatible servers, and the search for one on this machine.
- `embedded`, `llama_server`, `weights`: a small model on this machine, its server and its file.
"""
