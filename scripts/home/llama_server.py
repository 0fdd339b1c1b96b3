"""llama.cpp's OpenAI-compatible server for one model file, run in an environment of its own.

It prints its address when it is ready, and exits at the end of its standard input, so that it
cannot outlive the command that started it.
"""

import os
import sys

import xllamacpp  # type: ignore[import-not-found]

# Enough for the home, its tools and a conversation; the full context would take gigabytes.
CONTEXT_TOKENS = 16384


def main() -> None:
    """Serve a model; the arguments are its path, its name and the port."""
    path, name, port = sys.argv[1:]
    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.model_alias = {name}
    parameters.port = int(port)
    parameters.n_ctx = CONTEXT_TOKENS
    # The model's own chat template, which includes the tools.
    parameters.use_jinja = True
    parameters.ui = False
    parameters.verbosity = 1
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    # A regular exit would wait for the current request.
    os._exit(0)


if __name__ == "__main__":
    main()
