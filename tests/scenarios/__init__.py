"""Scenarios of the whole integration: whole turns across its modules, with a scripted server."""
