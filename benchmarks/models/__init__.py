"""How much of what a household asks for each way of calling tools gets done, with real models."""
