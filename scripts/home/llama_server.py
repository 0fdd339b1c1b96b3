"""llama.cpp's own OpenAI server for one file of weights; run by the Python that has its package.

It prints its address when it is ready, and ends when its standard input does: so it cannot outlive
the command that started it, however that ends.
"""

import os
import sys

import xllamacpp  # type: ignore[import-not-found]

# Room for the home, its tools and a conversation; the whole window would cost gigabytes.
CONTEXT_TOKENS = 16384


def main() -> None:
    """Serve the weights of the first argument, under the name and on the port that follow."""
    path, name, port = sys.argv[1:]
    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.model_alias = {name}
    parameters.port = int(port)
    parameters.n_ctx = CONTEXT_TOKENS
    # The model's own template, which knows how tools are shown to it.
    parameters.use_jinja = True
    parameters.ui = False
    parameters.verbosity = 1
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    # There is nothing to save, and the server would first complete what it is working on.
    os._exit(0)


if __name__ == "__main__":
    main()
