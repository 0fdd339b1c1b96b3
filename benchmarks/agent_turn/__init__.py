"""Benchmark of the agents' own time: Chatterbox and Home Assistant's agent side by side.

Both run in one real Home Assistant against one scripted server, in a process of its own, and take
turns with every message.

- `__main__`: command line; `rows`: what is measured; `model_rows`: the same with a real model.
- `contest`: turns of both agents, interleaved and measured.
- `home`: the home of both agents; `conversations`: stored conversations.
- `replies`: the scripted answers; `server`: their server; `server_process`: its process.
- `report`: the table.
"""
